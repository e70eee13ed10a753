/** @module The board: how healthy the book is, and the raises, the open ones first. */

import { counted } from "../../../config/format/counted.ts";
import { DOLLAR, formatAmount } from "../../market/amount.ts";
import type { Market } from "../../market/market.ts";
import { countMarket, queryMarket } from "../../market/market-query.ts";
import { OWED_REPAYMENTS } from "../../market/schema.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { fact, facts, links, linkTo, notice, section } from "../blocks.ts";
import type { ToolServer } from "../dependencies.ts";
import type { AuditBadge, Page, PageLink, PageRequest, PageResult, Section } from "../page.ts";
import { streamPath } from "../paths.ts";
import { OWED_LOOKS } from "../standing.ts";
import { marketUpdated } from "../times.ts";
import { amount, count, REPAYMENT_WORDS, rate } from "../value.ts";
import { sameElsewhere } from "./elsewhere.ts";
import { forPrograms } from "./for-programs.ts";
import { boardForm, clearPath, filterChips } from "./form.ts";
import { nearest } from "./nearest.ts";
import {
  type BoardQuery,
  boardFilters,
  boardPath,
  isFiltered,
  readBoardQuery,
  TABS,
  type Tab,
  tabOf,
} from "./query.ts";
import { raisesTable } from "./table.ts";

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
  if (board.clean !== null) return { kind: "moved", path: board.clean };
  return { kind: board.problems.length > 0 ? "refused" : "page", page: describeBoard(snapshot, board, site) };
}

function describeBoard(snapshot: Snapshot, board: BoardQuery, site: BoardParameters): Page {
  const { market } = snapshot;
  const isWhole = boardPath(board.values, { view: "" }) === "/" && board.query.cursor === undefined;
  return {
    path: "/",
    title: isWhole
      ? "Every raise on the marketplace, straight from the blockchain"
      : `${TABS[board.tab].label} raises`,
    description:
      "Who asked for money, who got it and what was paid back. Amounts that moved come from the contracts, not from us.",
    updated: marketUpdated(market),
    crumbs: [],
    layout: isWhole ? "hero" : "line",
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

function raises(snapshot: Snapshot, board: BoardQuery): Section {
  const { market } = snapshot;
  const { values, query, isTable, problems } = board;
  const limit = PAGE_LENGTH[isTable ? "table" : "cards"];
  const page = queryMarket(market, { ...query, limit });
  const total = countMarket(market, query);
  const isLater = query.cursor !== undefined;
  const chips = filterChips(values);
  const shown = raisesTable(snapshot, page.listings, board, howMany(page.listings.length, total, isLater));
  return section("raises", "Raises", [
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
    chips.length === 0
      ? null
      : {
          kind: "links",
          look: "chips",
          label: "Filters",
          links: chips.length === 1 ? chips : [...chips, linkTo("All filters", clearPath(values))],
        },
    { kind: "table", table: { ...shown, empty: emptyWords(market, board), isSteady: true } },
    page.listings.length === 0 ? null : { kind: "compare" },
    ...(total === 0 ? nearest(snapshot, board) : []),
    links([
      ...(isLater ? [linkTo("First page", boardPath(values))] : []),
      ...(page.nextCursor === null
        ? []
        : [linkTo("More raises", boardPath(values, { cursor: page.nextCursor }))]),
    ]),
    sameElsewhere(board),
  ]);
}

/** Each tab with the number of raises that its link leads to: only open raises can close within some days. */
function tabs(market: Market, { values, filter, tab }: BoardQuery): PageLink[] {
  const ofOpen = boardFilters().filter(({ board }) => board.isOfOpen);
  const unset = Object.fromEntries(ofOpen.map(({ board }) => [board.name, ""]));
  const unfiltered = Object.fromEntries(ofOpen.map(({ field }) => [field, undefined]));
  return (Object.keys(TABS) as Tab[]).map((own) => {
    const kept = { ...values, ...(own === "open" ? {} : unset), status: "" };
    const isGiven = tabOf({ ...kept, show: "" }) === own;
    const path = boardPath(kept, { show: isGiven ? "" : own });
    const shown = {
      ...filter,
      status: TABS[own].status,
      ...(own !== "open" && unfiltered),
    };
    const raises = countMarket(market, shown);
    return {
      ...linkTo(`${TABS[own].label} ${raises.toLocaleString("en-US")}`, path),
      isCurrent: own === tab,
    };
  });
}

function emptyWords({ listings }: Market, { values, tab }: BoardQuery): string {
  if (listings.length === 0)
    return "There are no raises yet. The first one appears here as soon as it opens.";
  if (isFiltered(values)) return "No raises match. Try removing a filter or searching for fewer words.";
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
        "weighted by amount",
      ),
      fact(
        "minimumReachedBps",
        "Reached their minimum",
        rate(stats.minimumReachedBps),
        `of ${counted(stats.decided, "closed raises")}, without those called off`,
      ),
      fact(
        "outstandingInDefaultBps",
        "In default now",
        rate(stats.outstandingInDefaultBps),
        "of the principal that is owed",
      ),
      fact("defaultRateBps", "Written off", rate(stats.defaultRateBps), "of the principal of settled raises"),
      fact("subscribers", "Backings", count(stats.subscribers), "one person counts once per raise"),
    ]),
  ]);
}

function desk({ trading }: Market): Section {
  return section("desk", "Secondary desk", [
    facts("grid", [
      fact("openOffers", "Open offers", count(trading.openOffers)),
      fact("openNotional", "Total asking price", amount(trading.openNotional)),
      fact("bestAskBps", "Lowest price", rate(trading.bestAskBps), "of face value"),
      fact("trades30d", "Trades in 30 days", count(trading.trades30d)),
      fact("volume30d", "Volume in 30 days", amount(trading.volume30d, "tokens")),
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
  const lost = `${formatAmount(writtenOff, { unit: null })} lost to date`;
  return section("health", null, [
    {
      kind: "shares",
      shares: {
        label: "Owed by the state of repayment",
        whole: fact("outstanding", `of principal owed, in ${DOLLAR}`, amount(outstanding, null)),
        parts: OWED_REPAYMENTS.map((repayment) => {
          const { amount: owed, shareBps, listings } = outstandingByRepayment[repayment];
          return {
            fact: {
              ...fact(
                `outstandingByRepayment.${repayment}.shareBps`,
                REPAYMENT_WORDS[repayment],
                rate(shareBps),
                `${formatAmount(owed, { unit: null })} in ${counted(listings, "raises")}`,
              ),
              href: `/?${new URLSearchParams({ repayment })}`,
            },
            weight: owed,
            ...OWED_LOOKS[repayment],
          };
        }),
        text: `${counted(open, "raises")} open ·${writtenOff === "0" ? " nothing lost to date" : ""}`,
        ...(writtenOff !== "0" && { more: linkTo(lost, "/?repayment=written_off") }),
      },
    },
  ]);
}
