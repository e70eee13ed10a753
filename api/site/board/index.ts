/**
 * The board: every visible raise, the book's totals, the desk, and where programs read the same.
 * @module
 */
import { withoutCaseAndAccents } from "../../knowledge/terms.ts";
import { DOLLAR } from "../../market/amount.ts";
import { raisedShareBps } from "../../market/listing.ts";
import { countListings, type ListingsPage, queryListings } from "../../market/listings-query.ts";
import type { Market } from "../../market/project.ts";
import type { Listing } from "../../market/schema.ts";
import { fact, facts, links, linkTo, notice, section, table } from "../blocks.ts";
import { totalsChart } from "../charts/totals.tsx";
import type { ToolServer } from "../dependencies.ts";
import type { Block, Page, PageRequest, PageResult, Section } from "../page.ts";
import { businessLink, raiseLink } from "../paths.ts";
import { raisesUpdated, timeUntil } from "../times.ts";
import { amount, code, count, counted, grade, NONE, rate, status, text, type Value } from "../value.ts";
import { forPrograms } from "./for-programs.ts";
import { boardForm } from "./form.ts";
import { type BoardQuery, boardPath, readBoardQuery } from "./query.ts";

const PAGE_LENGTH = 50;

export type BoardParameters = {
  publicUrl: string;
  appUrl: string | null;
  siteName: string;
  logo: string;
  toolServer: ToolServer;
};

/** The board as the query of its address asks for it. */
export function boardPage({ snapshot, query: parameters }: PageRequest, site: BoardParameters): PageResult {
  if (snapshot === null) return { kind: "not_indexed_yet" };
  const board = readBoardQuery(parameters);
  const page = describeBoard(snapshot.market, board, site);
  return { kind: board.problems.length > 0 ? "refused" : "page", page };
}

function describeBoard(market: Market, board: BoardQuery, site: BoardParameters): Page {
  const candidates = matching(market, board.values.q);
  const shown = queryListings(candidates, { ...board.query, limit: PAGE_LENGTH });
  const found = countListings(candidates, board.query);
  return {
    path: "/",
    title: "The open book of raises",
    description:
      "Every raise of the marketplace as the chain has it: what is asked for, committed and repaid.",
    updated: raisesUpdated(market, market.listings),
    crumbs: [],
    isLive: true,
    jsonLd: board.problems.length > 0 ? [] : identity(site),
    sections: [
      section("totals", null, [totals(market)]),
      raises(market, board, shown, found),
      book(market),
      ...(market.trading.enabled ? [desk(market)] : []),
      forPrograms(site, site.toolServer),
    ],
  };
}

/** What can be found of each raise, made once for a market: somebody types letter by letter. */
const texts = new WeakMap<Market, readonly string[]>();

/** The raises in which every word stands: in title, reference number, public id or the name of the business. */
function matching(market: Market, words: string): readonly Listing[] {
  const wanted = withoutCaseAndAccents(words).split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return market.listings;
  const said = texts.get(market) ?? market.listings.map((listing) => textOf(listing, market));
  texts.set(market, said);
  return market.listings.filter((_, at) => wanted.every((word) => said[at]?.includes(word)));
}

function textOf({ title, refnum, publicId, originator }: Listing, market: Market): string {
  const name = market.originatorByPublicId.get(originator)?.legalName ?? "";
  return withoutCaseAndAccents([title, refnum, publicId, name].join(" "));
}

function totals({ stats, listings }: Market): Block {
  const open = listings.filter(({ acceptsMoney }) => acceptsMoney);
  return facts("headline", [
    fact("open", "Raises open", count(open.length)),
    fact("raised", "Committed", amount(stats.raised)),
    fact("repaid", "Repaid", amount(stats.repaid)),
    fact("outstanding", "Outstanding", amount(stats.outstanding)),
  ]);
}

function raises(
  market: Market,
  { values, query, problems }: BoardQuery,
  page: ListingsPage,
  found: number,
): Section {
  const isNarrowed = Object.values(values).some((value) => value !== "");
  const isLater = query.cursor !== undefined;
  return section("raises", "Raises", [
    ...problems.map((problem) => notice("error", problem)),
    { kind: "form", form: boardForm(values, isNarrowed) },
    table({
      caption: `${howMany(page.listings.length, found, isLater)}; amounts in ${DOLLAR}`,
      items: page.listings,
      keyOf: ({ publicId }) => publicId,
      columns: [
        ["title", "Raise", raiseLink],
        ["refnum", "Reference", (raise) => code(raise.refnum)],
        ["originator", "Business", (raise) => businessOf(raise, market)],
        ["status", "Status", (raise) => status(raise.status, raise.repayment)],
        ["originatorGrade", "Grade", (raise) => grade(raise.originatorGrade)],
        ["couponRateBps", "Coupon a year", (raise) => rate(raise.couponRateBps), "end"],
        ["tenorDays", "Term", (raise) => count(raise.tenorDays, "days"), "end"],
        ["raisedAmount", "Committed", (raise) => amount(raise.raisedAmount, null), "end"],
        ["targetAmount", "Target", (raise) => amount(raise.targetAmount, null), "end"],
        ["raisedShareBps", "Of target", (raise) => rate(raisedShareBps(raise)), "end"],
        ["timeLeft", "Time left", (raise) => timeLeft(raise, market), "end"],
      ],
      empty: isNarrowed
        ? "No raise matches. Widen the search, or show all."
        : "There is no raise yet. As soon as one goes live it stands here.",
    }),
    links([
      ...(isLater ? [linkTo("First page", boardPath(values))] : []),
      ...(page.nextCursor === null ? [] : [linkTo("More raises", boardPath(values, page.nextCursor))]),
    ]),
  ]);
}

/** How many raises the table has, and of how many. */
function howMany(shown: number, found: number, isLater: boolean): string {
  const all = counted(found, "raises");
  if (shown === found) return all;
  return isLater ? `The next ${shown} of ${all}` : `The first ${shown} of ${all}`;
}

function businessOf({ originator }: Listing, market: Market): Value {
  const business = market.originatorByPublicId.get(originator);
  return business === undefined ? NONE : businessLink(business);
}

function timeLeft({ acceptsMoney, closeAt }: Listing, { head }: Market): Value {
  if (!acceptsMoney) return NONE;
  if (closeAt === null) return text("No end");
  const left = timeUntil(closeAt, head.timestamp);
  return left === null ? NONE : text(left);
}

function book({ stats }: Market): Section {
  return section("book", "The book in figures", [
    { kind: "chart", chart: totalsChart(stats, "book") },
    facts("grid", [
      fact("refunded", "Refunded", amount(stats.refunded)),
      fact("reserves", "Reserves held", amount(stats.reserves)),
      fact("subscribers", "Backers, summed over the raises", count(stats.subscribers)),
      fact(
        "defaultRateBps",
        "Written off of what was drawn",
        rate(stats.defaultRateBps),
        "over the settled raises",
      ),
    ]),
  ]);
}

function desk({ trading }: Market): Section {
  return section("desk", "Secondary desk", [
    facts("grid", [
      fact("openOffers", "Open offers", count(trading.openOffers)),
      fact("openNotional", "Dollars asked in open offers", amount(trading.openNotional)),
      fact("bestAskBps", "Lowest price asked, of the face value", rate(trading.bestAskBps)),
      fact("trades30d", "Trades in 30 days", count(trading.trades30d)),
      fact("volume30d", "Volume in 30 days", amount(trading.volume30d)),
      fact("vwap30dBps", "Average price in 30 days", rate(trading.vwap30dBps), "weighted by volume"),
    ]),
    links([linkTo("What the desk is", "/knowledge/secondary-desk")]),
  ]);
}

/** schema.org: whose site it is, and what it is called. */
function identity({ publicUrl, siteName, logo }: BoardParameters): object[] {
  const organization = {
    "@type": "Organization",
    "@id": `${publicUrl}/#organization`,
    name: siteName,
    url: `${publicUrl}/`,
    logo: publicUrl + logo,
  };
  const site = {
    "@type": "WebSite",
    "@id": `${publicUrl}/#website`,
    name: siteName,
    url: `${publicUrl}/`,
    publisher: { "@id": organization["@id"] },
  };
  return [{ "@context": "https://schema.org", "@graph": [organization, site] }];
}
