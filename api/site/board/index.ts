/** The board: how healthy the book is, and the raises, the open ones first. @module */
import { DOLLAR, formatAmount } from "../../market/amount.ts";
import { countListings, queryListings, type Sort } from "../../market/listings-query.ts";
import type { Market } from "../../market/market.ts";
import { type Listing, OWED_REPAYMENTS } from "../../market/schema.ts";
import { warningsOf } from "../../market/sentences.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { fact, facts, links, linkTo, notice, section, tableOf } from "../blocks.ts";
import { CoverPicture } from "../covers/drawing.tsx";
import { coverOf } from "../covers/pictures.ts";
import type { ToolServer } from "../dependencies.ts";
import type { AuditBadge, Page, PageLink, PageRequest, PageResult, Section, Table } from "../page.ts";
import { businessLink, raiseLink, streamPath } from "../paths.ts";
import { doneBar, doneOf, doneShare, doneValue, OWED_LOOKS, stateValue, timingOf } from "../standing.ts";
import { raisesUpdated } from "../times.ts";
import {
  amount,
  count,
  counted,
  coupon,
  grade,
  NONE,
  REPAYMENT_WORDS,
  rate,
  text,
  type Value,
  word,
} from "../value.ts";
import { forPrograms } from "./for-programs.ts";
import { boardForm, filterChips } from "./form.ts";
import {
  type BoardQuery,
  type BoardValues,
  boardFilters,
  boardPath,
  isFiltered,
  readBoardQuery,
  TABS,
  type Tab,
} from "./query.ts";

/** Cards take more room than rows. */
const PAGE_LENGTH = { cards: 18, table: 50 } as const;

type BoardParameters = {
  publicUrl: string;
  appUrl: string | null;
  siteName: string;
  logo: string;
  toolServer: ToolServer;
  proof: AuditBadge | null;
};

export function boardPage({ snapshot, query: parameters }: PageRequest, site: BoardParameters): PageResult {
  if (snapshot === null) return { kind: "not_indexed_yet" };
  const board = readBoardQuery(parameters, snapshot.market);
  return { kind: board.problems.length > 0 ? "refused" : "page", page: describeBoard(snapshot, board, site) };
}

function describeBoard(snapshot: Snapshot, board: BoardQuery, site: BoardParameters): Page {
  const { market } = snapshot;
  return {
    path: "/",
    title: "Every raise on the marketplace, straight from the blockchain",
    description:
      "Who asked for money, who got it, and what was paid back: each figure from the contracts, none from us.",
    updated: raisesUpdated(market, market.listings),
    crumbs: [],
    layout: "hero",
    ...(site.proof !== null && { proof: site.proof }),
    isLive: true,
    stream: streamPath(),
    jsonLd: board.problems.length > 0 ? [] : identity(site),
    sections: [
      { ...healthSection(market), isBeside: true },
      raises(snapshot, board),
      figures(market),
      ...(market.trading.enabled ? [desk(market)] : []),
      { ...forPrograms(site, site.toolServer), isFolded: true },
    ],
  };
}

function raises({ market, registry }: Snapshot, board: BoardQuery): Section {
  const { values, query, isTable, problems } = board;
  const { listings, originatorByPublicId } = market;
  const limit = PAGE_LENGTH[isTable ? "table" : "cards"];
  const page = queryListings(listings, { ...query, limit }, originatorByPublicId);
  const total = countListings(listings, query, originatorByPublicId);
  const isLater = query.cursor !== undefined;
  const chips = filterChips(values, market);
  return {
    ...section("raises", "Raises", [
      ...problems.map((problem) => notice("error", problem)),
      { kind: "links", look: "choices", label: "Which raises", links: tabs(market, board) },
      { kind: "form", form: boardForm(board, market) },
      {
        kind: "links",
        look: "choices",
        label: "View",
        links: [
          { ...linkTo("Cards", boardPath(values, { view: "" })), isCurrent: !isTable },
          { ...linkTo("Table", boardPath(values, { view: "table" })), isCurrent: isTable },
        ],
      },
      chips.length === 0 ? null : { kind: "links", look: "chips", label: "Filters", links: chips },
      { kind: "table", table: raisesTable({ market, registry }, page.listings, board, { total, isLater }) },
      page.listings.length === 0 ? null : { kind: "compare" },
      links([
        ...(isLater ? [linkTo("First page", boardPath(values))] : []),
        ...(page.nextCursor === null
          ? []
          : [linkTo("More raises", boardPath(values, { cursor: page.nextCursor }))]),
      ]),
    ]),
  };
}

/** Each tab with the number of raises that its link leads to: only open raises can close within some days. */
function tabs(market: Market, { values, filter, tab }: BoardQuery): PageLink[] {
  const ofOpen = boardFilters().filter(({ board }) => board.isOfOpen);
  const unset = Object.fromEntries(ofOpen.map(({ board }) => [board.name, ""]));
  const unfiltered = Object.fromEntries(ofOpen.map(({ field }) => [field, undefined]));
  return (Object.keys(TABS) as Tab[]).map((own) => {
    const kept = own === "open" ? {} : unset;
    const path = boardPath(values, { ...kept, show: own, status: "" });
    const shown = {
      ...filter,
      status: TABS[own].status,
      ...(own !== "open" && unfiltered),
    };
    const raises = countListings(market.listings, shown, market.originatorByPublicId);
    return {
      ...linkTo(`${TABS[own].label} ${raises.toLocaleString("en-US")}`, path),
      isCurrent: own === tab,
    };
  });
}

const SORTS: Readonly<Record<string, Sort>> = {
  progress: "most_raised",
  couponRateBps: "highest_coupon",
  timing: "closing_soon",
};

function raisesTable(
  { market, registry }: Pick<Snapshot, "market" | "registry">,
  items: readonly Listing[],
  { values, tab, isTable, query }: BoardQuery,
  { total, isLater }: { total: number; isLater: boolean },
): Table {
  const now = market.head.timestamp;
  const hasWarnings = items.some((raise) => marksOf(raise, market).kind !== "none");
  const made = tableOf({
    caption: `${howMany(items.length, total, isLater)}; amounts in ${DOLLAR}`,
    items,
    keyOf: ({ publicId }) => publicId,
    columns: [
      ["title", "Raise", raiseLink],
      ["originatorGrade", "Grade", (raise) => grade(raise.originatorGrade)],
      [
        "originator",
        "Business",
        ({ originator }) => {
          const business = market.originatorByPublicId.get(originator);
          return business === undefined ? NONE : businessLink(business);
        },
      ],
      ["status", "State", (raise) => stateValue(raise, now)],
      ...(hasWarnings
        ? ([["warnings", "Warnings", (raise: Listing) => marksOf(raise, market)]] as const)
        : []),
      ["progress", "Progress", (raise) => doneValue(doneOf(raise)), "end"],
      ["share", "Share", (raise) => doneShare(doneOf(raise)), "end"],
      ["couponRateBps", "Interest", (raise) => coupon(raise, { isShort: true }), "end"],
      ["tenorDays", "Term", (raise) => count(raise.tenorDays, "days"), "end"],
      ["timing", "Timing", (raise) => text(timingOf(raise, now))],
    ],
    empty: emptyWords(market, values, tab),
  });
  if (isTable) {
    const columns = made.columns.map((column) => {
      const sort = SORTS[column.key];
      return sort === undefined
        ? column
        : { ...column, sortHref: boardPath(values, { sort }), isSorted: query.sort === sort };
    });
    return { ...made, columns, isOfRaises: true };
  }
  const rows = made.rows.map((row, at) => {
    const raise = items[at];
    if (raise === undefined) return row;
    return {
      ...row,
      cover: CoverPicture({ cover: coverOf(registry, raise) }),
      progress: doneBar(doneOf(raise), raise),
    };
  });
  return { ...made, rows, look: "cards", isOfRaises: true };
}

/** The marks of a raise's warnings; none for most. */
function marksOf(raise: Listing, market: Market): Value {
  const business = market.originatorByPublicId.get(raise.originator);
  const marks = business === undefined ? [] : warningsOf(raise, business).map(({ mark }) => mark);
  return marks.length === 0 ? NONE : word(marks.join(" · "), marks.join(", "), "bad");
}

function emptyWords({ listings }: Market, values: BoardValues, tab: Tab): string {
  if (listings.length === 0)
    return "There are no raises yet. The first one appears here as soon as it opens.";
  if (isFiltered(values)) return "No raise matches. Remove a filter, or search for less.";
  return tab === "open" ? "No raise is open at the moment." : "There are no such raises yet.";
}

function howMany(shown: number, total: number, isLater: boolean): string {
  const all = counted(total, "raises");
  if (shown === total) return all;
  return isLater ? `The next ${shown} of ${all}` : `The first ${shown} of ${all}`;
}

function figures({ stats }: Market): Section {
  return section("book", `The marketplace in figures, in ${DOLLAR}`, [
    facts("grid", [
      fact("lent", "Lent", amount(stats.lent, null), "drawn by businesses"),
      fact("raised", "Committed in all", amount(stats.raised, null)),
      fact("repaid", "Repaid", amount(stats.repaid, null), "principal and interest"),
      fact("returned", "Returned", amount(stats.returned, null), "by raises that failed"),
      fact("reserves", "Reserves held", amount(stats.reserves, null)),
      fact(
        "averageCouponBps",
        "Average interest per year",
        rate(stats.averageCouponBps),
        "weighted by the money lent",
      ),
      fact(
        "minimumReachedBps",
        "Reached their minimum",
        rate(stats.minimumReachedBps),
        `of ${counted(stats.decided, "raises")} that have closed`,
      ),
      fact(
        "outstandingInDefaultBps",
        "In default now",
        rate(stats.outstandingInDefaultBps),
        "of the principal that is owed",
      ),
      fact("defaultRateBps", "Written off", rate(stats.defaultRateBps), "of the principal of settled raises"),
      fact("subscribers", "Backers, summed over all raises", count(stats.subscribers)),
    ]),
  ]);
}

function desk({ trading }: Market): Section {
  return section("desk", "Secondary desk", [
    facts("grid", [
      fact("openOffers", "Open offers", count(trading.openOffers)),
      fact("openNotional", "Asked for them", amount(trading.openNotional)),
      fact("bestAskBps", "Lowest price", rate(trading.bestAskBps), "of face value"),
      fact("trades30d", "Trades in 30 days", count(trading.trades30d)),
      fact("volume30d", "Volume in 30 days", amount(trading.volume30d)),
      fact("vwap30dBps", "Average price in 30 days", rate(trading.vwap30dBps), "weighted by volume"),
    ]),
    links([linkTo("About the secondary desk", "/knowledge/secondary-desk")]),
  ]);
}

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

function healthSection({ stats }: Pick<Market, "stats">): Section {
  const { outstanding, writtenOff, byStatus, outstandingByRepayment } = stats;
  const open = byStatus.listed + byStatus.funding;
  const lost =
    writtenOff === "0"
      ? "Nothing has been lost so far."
      : `${formatAmount(writtenOff, { unit: null })} lost so far.`;
  return section("health", null, [
    {
      kind: "shares",
      shares: {
        label: "Owed by the state of repayment",
        whole: fact("outstanding", `owed to backers, in ${DOLLAR}`, amount(outstanding, null)),
        parts: OWED_REPAYMENTS.map((repayment) => {
          const { amount: owed, shareBps, listings } = outstandingByRepayment[repayment];
          return {
            fact: fact(
              `outstandingByRepayment.${repayment}.shareBps`,
              REPAYMENT_WORDS[repayment],
              rate(shareBps),
              `${formatAmount(owed, { unit: null })} in ${counted(listings, "raises")}`,
            ),
            weight: owed,
            ...OWED_LOOKS[repayment],
          };
        }),
        text: `${counted(open, "raises")} ${open === 1 ? "is" : "are"} open. ${lost}`,
      },
    },
  ]);
}
