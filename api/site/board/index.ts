/**
 * The board: every visible raise, the book's totals, the desk, and where programs read the same.
 * @module
 */

import { DOLLAR } from "../../market/amount.ts";
import { raisedShareBps } from "../../market/listing.ts";
import { countListings, type ListingsPage, queryListings } from "../../market/listings-query.ts";
import type { Market } from "../../market/project.ts";
import type { Listing } from "../../market/schema.ts";
import { totalsChart } from "../charts/totals.tsx";
import type { ToolServer } from "../dependencies.ts";
import { timeUntil } from "../moment.ts";
import type { Block, Page, PageLink, PageRequest, PageResult, Row, Section } from "../page.ts";
import { businessLink, raiseLink } from "../paths.ts";
import { raisesUpdated } from "../updated.ts";
import { amount, code, count, counted, NONE, rate, text, type Value } from "../value.ts";
import { forPrograms } from "./for-programs.ts";
import { boardForm } from "./form.ts";
import { matching } from "./matching.ts";
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
      { id: "totals", title: null, blocks: [totals(market)] },
      raises(market, board, shown, found),
      book(market),
      ...desk(market),
      forPrograms(site, site.toolServer),
    ],
  };
}

function totals({ stats, listings }: Market): Block {
  const open = listings.filter(({ acceptsMoney }) => acceptsMoney);
  return {
    kind: "facts",
    look: "headline",
    facts: [
      { key: "open", label: "Raises open", value: count(open.length) },
      { key: "raised", label: "Committed", value: amount(stats.raised) },
      { key: "repaid", label: "Repaid", value: amount(stats.repaid) },
      { key: "outstanding", label: "Outstanding", value: amount(stats.outstanding) },
    ],
  };
}

function raises(
  market: Market,
  { values, query, problems }: BoardQuery,
  page: ListingsPage,
  found: number,
): Section {
  const isNarrowed = Object.values(values).some((value) => value !== "");
  const isLater = query.cursor !== undefined;
  const pages: PageLink[] = [
    ...(isLater ? [{ text: "First page", href: boardPath(values) }] : []),
    ...(page.nextCursor === null ? [] : [{ text: "More raises", href: boardPath(values, page.nextCursor) }]),
  ];
  const empty = isNarrowed
    ? "No raise matches. Widen the search, or show all."
    : "There is no raise yet. As soon as one goes live it stands here.";
  return {
    id: "raises",
    title: "Raises",
    blocks: [
      ...problems.map((problem): Block => ({ kind: "notice", tone: "error", text: problem })),
      { kind: "form", form: boardForm(values, isNarrowed) },
      {
        kind: "table",
        table: {
          caption: `${howMany(page.listings.length, found, isLater)}; amounts in ${DOLLAR}`,
          columns: [
            { key: "title", label: "Raise" },
            { key: "refnum", label: "Reference" },
            { key: "originator", label: "Business" },
            { key: "status", label: "Status" },
            { key: "originatorGrade", label: "Grade" },
            { key: "couponRateBps", label: "Coupon a year", align: "end" },
            { key: "tenorDays", label: "Term", align: "end" },
            { key: "raisedAmount", label: "Committed", align: "end" },
            { key: "targetAmount", label: "Target", align: "end" },
            { key: "raisedShareBps", label: "Of target", align: "end" },
            { key: "timeLeft", label: "Time left", align: "end" },
          ],
          rows: page.listings.map((listing) => rowOf(listing, market)),
          empty,
        },
      },
      ...(pages.length === 0 ? [] : [{ kind: "links" as const, links: pages }]),
    ],
  };
}

/** How many raises the table has, and of how many. */
function howMany(shown: number, found: number, isLater: boolean): string {
  const all = counted(found, "raises");
  if (shown === found) return all;
  return isLater ? `The next ${shown} of ${all}` : `The first ${shown} of ${all}`;
}

function rowOf(listing: Listing, market: Market): Row {
  const business = market.originatorByPublicId.get(listing.originator);
  return {
    key: listing.publicId,
    cells: [
      raiseLink(listing),
      code(listing.refnum),
      business === undefined ? NONE : businessLink(business),
      { kind: "status", status: listing.status, repayment: listing.repayment },
      { kind: "grade", grade: listing.originatorGrade },
      rate(listing.couponRateBps),
      count(listing.tenorDays, "days"),
      amount(listing.raisedAmount, null),
      amount(listing.targetAmount, null),
      rate(raisedShareBps(listing)),
      timeLeft(listing, market),
    ],
  };
}

function timeLeft({ acceptsMoney, closeAt }: Listing, { head }: Market): Value {
  if (!acceptsMoney) return NONE;
  if (closeAt === null) return text("No end");
  const left = timeUntil(closeAt, head.timestamp);
  return left === null ? NONE : text(left);
}

function book({ stats }: Market): Section {
  return {
    id: "book",
    title: "The book in figures",
    blocks: [
      { kind: "chart", chart: totalsChart(stats, "book") },
      {
        kind: "facts",
        look: "grid",
        facts: [
          { key: "refunded", label: "Refunded", value: amount(stats.refunded) },
          { key: "reserves", label: "Reserves held", value: amount(stats.reserves) },
          {
            key: "subscribers",
            label: "Backers, summed over the raises",
            value: count(stats.subscribers),
          },
          {
            key: "defaultRateBps",
            label: "Written off of what was drawn",
            value: rate(stats.defaultRateBps),
            note: "over the settled raises",
          },
        ],
      },
    ],
  };
}

function desk({ trading }: Market): Section[] {
  if (!trading.enabled) return [];
  return [
    {
      id: "desk",
      title: "Secondary desk",
      blocks: [
        {
          kind: "facts",
          look: "grid",
          facts: [
            { key: "openOffers", label: "Open offers", value: count(trading.openOffers) },
            {
              key: "openNotional",
              label: "Dollars asked in open offers",
              value: amount(trading.openNotional),
            },
            {
              key: "bestAskBps",
              label: "Lowest price asked, of the face value",
              value: rate(trading.bestAskBps),
            },
            { key: "trades30d", label: "Trades in 30 days", value: count(trading.trades30d) },
            { key: "volume30d", label: "Volume in 30 days", value: amount(trading.volume30d) },
            {
              key: "vwap30dBps",
              label: "Average price in 30 days",
              value: rate(trading.vwap30dBps),
              note: "weighted by volume",
            },
          ],
        },
        { kind: "links", links: [{ text: "What the desk is", href: "/knowledge/secondary-desk" }] },
      ],
    },
  ];
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
