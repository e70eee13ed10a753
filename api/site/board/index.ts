/**
 * The board: every visible raise, the totals of the book, the secondary desk, and links for programs.
 * @module
 */
import { withoutCaseAndAccents } from "../../knowledge/terms.ts";
import { DOLLAR } from "../../market/amount.ts";
import { raisedShareBps } from "../../market/listing.ts";
import { countListings, type ListingsPage, queryListings } from "../../market/listings-query.ts";
import type { Market } from "../../market/market.ts";
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

/** The board for the query in its URL. */
export function boardPage({ snapshot, query: parameters }: PageRequest, site: BoardParameters): PageResult {
  if (snapshot === null) return { kind: "not_indexed_yet" };
  const board = readBoardQuery(parameters);
  const page = describeBoard(snapshot.market, board, site);
  return { kind: board.problems.length > 0 ? "refused" : "page", page };
}

function describeBoard(market: Market, board: BoardQuery, site: BoardParameters): Page {
  const candidates = matching(market, board.values.q);
  const shown = queryListings(candidates, { ...board.query, limit: PAGE_LENGTH });
  const total = countListings(candidates, board.query);
  return {
    path: "/",
    title: "The open book of raises",
    description:
      "Every raise on the marketplace as the chain records it: target, commitments and repayments.",
    updated: raisesUpdated(market, market.listings),
    crumbs: [],
    isLive: true,
    jsonLd: board.problems.length > 0 ? [] : identity(site),
    sections: [
      section("totals", null, [totals(market)]),
      raises(market, board, shown, total),
      book(market),
      ...(market.trading.enabled ? [desk(market)] : []),
      forPrograms(site, site.toolServer),
    ],
  };
}

/** The searchable text of each raise, built once for each market: people search letter by letter. */
const texts = new WeakMap<Market, readonly string[]>();

/** The raises that contain every word, in title, reference number, public id or name of the business. */
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
    fact("open", "Open raises", count(open.length)),
    fact("raised", "Committed", amount(stats.raised)),
    fact("repaid", "Repaid", amount(stats.repaid)),
    fact("outstanding", "Outstanding", amount(stats.outstanding)),
  ]);
}

function raises(
  market: Market,
  { values, query, problems }: BoardQuery,
  page: ListingsPage,
  total: number,
): Section {
  const isFiltered = Object.values(values).some((value) => value !== "");
  const isLater = query.cursor !== undefined;
  return section("raises", "Raises", [
    ...problems.map((problem) => notice("error", problem)),
    { kind: "form", form: boardForm(values, isFiltered) },
    table({
      caption: `${howMany(page.listings.length, total, isLater)}; amounts in ${DOLLAR}`,
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
      empty: isFiltered
        ? "No raise matches. Widen the search or show all."
        : "There are no raises yet. The first one appears here as soon as it opens.",
    }),
    links([
      ...(isLater ? [linkTo("First page", boardPath(values))] : []),
      ...(page.nextCursor === null ? [] : [linkTo("More raises", boardPath(values, page.nextCursor))]),
    ]),
  ]);
}

/** The number of raises in the table, and in all. */
function howMany(shown: number, total: number, isLater: boolean): string {
  const all = counted(total, "raises");
  if (shown === total) return all;
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
      fact("subscribers", "Backers, summed over all raises", count(stats.subscribers)),
      fact(
        "defaultRateBps",
        "Written off, of drawn principal",
        rate(stats.defaultRateBps),
        "across settled raises",
      ),
    ]),
  ]);
}

function desk({ trading }: Market): Section {
  return section("desk", "Secondary desk", [
    facts("grid", [
      fact("openOffers", "Open offers", count(trading.openOffers)),
      fact("openNotional", "Asking total of open offers", amount(trading.openNotional)),
      fact("bestAskBps", "Lowest asking price, of face value", rate(trading.bestAskBps)),
      fact("trades30d", "Trades in 30 days", count(trading.trades30d)),
      fact("volume30d", "Volume in 30 days", amount(trading.volume30d)),
      fact("vwap30dBps", "Average price in 30 days", rate(trading.vwap30dBps), "weighted by volume"),
    ]),
    links([linkTo("About the secondary desk", "/knowledge/secondary-desk")]),
  ]);
}

/** schema.org: the organization and its site. */
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
