/** @module The raises of the board, as cards or as a dense table. */

import { DAY, secondsOf } from "../../../config/format/time.ts";
import { DOLLAR, formatRate } from "../../market/amount.ts";
import { raisedShareBps } from "../../market/listing.ts";
import type { Sort } from "../../market/listings-order.ts";
import type { Market } from "../../market/market.ts";
import type { Listing } from "../../market/schema.ts";
import { clearingWord } from "../../market/sentences.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { tableOf } from "../blocks.ts";
import { CoverPicture } from "../covers/drawing.tsx";
import { coverOf } from "../covers/pictures.ts";
import type { Column, Table } from "../page.ts";
import { businessLink, raiseLink } from "../paths.ts";
import { doneBar, doneOf, doneShare, stateOf, stateValue, timingOf, warningMarks } from "../standing.ts";
import {
  amount,
  count,
  country,
  coupon,
  grade,
  NONE,
  part,
  rate,
  share,
  text,
  type Value,
  word,
} from "../value.ts";
import { type BoardQuery, boardPath } from "./query.ts";

type Columns = Parameters<typeof tableOf<Listing>>[0]["columns"];

/** @param caption how many raises they are */
export function raisesTable(
  { market, registry }: Pick<Snapshot, "market" | "registry">,
  items: readonly Listing[],
  board: BoardQuery,
  caption: string,
): Table {
  const made = tableOf({
    caption: `${caption}; amounts in ${DOLLAR}`,
    items,
    keyOf: ({ publicId }) => publicId,
    columns: board.isTable ? denseColumns(items, market) : cardColumns(items, market),
    empty: "",
  });
  if (board.isTable) {
    const columns = made.columns.map((column) => ({ ...column, ...sorting(column, board) }));
    return { ...made, columns, look: "dense", isOfRaises: true };
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

function cardColumns(items: readonly Listing[], market: Market): Columns {
  const now = market.head.timestamp;
  return [
    ["title", "Raise", raiseLink],
    ["originatorGrade", "Grade", (raise) => grade(raise.originatorGrade)],
    ["originator", "Business", (raise) => businessOf(raise, market)],
    ["jurisdiction", "Country", (raise) => countryOf(raise, market)],
    ["status", "State", (raise) => stateValue(raise, now)],
    ...warningColumn(items, market),
    ["share", "Done", (raise) => shareOf(raise, market), "end"],
    ["progress", "Progress", progressOf, "end"],
    ["couponRateBps", "Interest", (raise) => coupon(raise, { isShort: true }), "end"],
    ["tenorDays", "Term", (raise) => count(raise.tenorDays, "days"), "end"],
    ["timing", "Closes / due", (raise) => text(timingOf(raise, now))],
  ];
}

function denseColumns(items: readonly Listing[], market: Market): Columns {
  const now = market.head.timestamp;
  return [
    ["title", "Raise", raiseLink],
    ["originator", "Business", (raise) => businessOf(raise, market)],
    ["status", "State", (raise) => shortState(raise, now)],
    ...warningColumn(items, market),
    ["raisedAmount", "Committed", (raise) => amount(raise.raisedAmount, null), "end"],
    ["targetAmount", "Target", (raise) => amount(raise.targetAmount, null), "end"],
    ["funded", "Funded", (raise) => share(raisedShareBps(raise), "")],
    ["couponRateBps", "Rate", shortRate, "end"],
    ["tenorDays", "Term", (raise) => count(raise.tenorDays, "days"), "end"],
    ["originatorGrade", "Grade", (raise) => grade(raise.originatorGrade)],
    [
      "timing",
      "Closes / due",
      (raise) => text(timingOf(raise, now).replace(/^(interest )?(closes|due|was due) /, "")),
    ],
    ["jurisdiction", "Country", (raise) => countryOf(raise, market)],
  ];
}

/** Without its figure, which has a column of its own. */
function shortState(raise: Listing, now: bigint): Value {
  const { label, tone } = stateOf(raise, now);
  return word(label.replace(/^Ended with/, "With").replace(/ · .*/, ""), raise.status, tone);
}

/** Such as "≤ 15.00%, now 14.90%" in an open auction. */
function shortRate(listing: Listing): Value {
  const { couponRateBps, couponIsMaximum, indicativeRateBps } = listing;
  if (!couponIsMaximum) return rate(couponRateBps);
  const now = indicativeRateBps === null ? "" : `, ${clearingWord(listing)} ${formatRate(indicativeRateBps)}`;
  return { kind: "rate", basisPoints: couponRateBps, words: `≤ ${formatRate(couponRateBps)}${now}` };
}

function businessOf({ originator }: Listing, market: Market): Value {
  const business = market.originatorByPublicId.get(originator);
  return business === undefined ? NONE : businessLink(business);
}

function countryOf({ originator }: Listing, market: Market): Value {
  const business = market.originatorByPublicId.get(originator);
  return business === undefined ? NONE : country(business.jurisdiction);
}

/** There is no column for marks without one. */
function warningColumn(items: readonly Listing[], market: Market): Columns {
  const isWarned = items.some((raise) => marksOf(raise, market).kind !== "none");
  return isWarned ? [["warnings", "Check first", (raise) => marksOf(raise, market)]] : [];
}

function marksOf(raise: Listing, market: Market): Value {
  const business = market.originatorByPublicId.get(raise.originator);
  return business === undefined ? NONE : warningMarks(raise, business);
}

function progressOf(raise: Listing): Value {
  const done = doneOf(raise);
  return part(done.part, done.whole, "");
}

/** Seconds for which a raise without a commitment has just opened. */
const JUST_OPENED = 3n * DAY;

/** "0% funded" would blame a raise that backers have hardly seen. */
function shareOf(raise: Listing, { head, openedAt }: Pick<Market, "head" | "openedAt">): Value {
  const done = doneOf(raise);
  if (!raise.acceptsMoney || done.part !== "0") return doneShare(done);
  const isNew = head.timestamp - secondsOf(openedAt(raise)) < JUST_OPENED;
  return word(isNew ? "Just opened" : "Nothing yet", "0");
}

/** The orders of the columns, the one that most readers want first. */
const SORTS: Readonly<Record<string, { first: Sort; second: Sort; falls?: true }>> = {
  raisedAmount: { first: "most_raised", second: "least_raised", falls: true },
  targetAmount: { first: "largest_target", second: "smallest_target", falls: true },
  funded: { first: "most_funded", second: "least_funded", falls: true },
  couponRateBps: { first: "highest_coupon", second: "lowest_coupon", falls: true },
  tenorDays: { first: "shortest_term", second: "longest_term" },
  originatorGrade: { first: "best_grade", second: "worst_grade" },
  timing: { first: "closing_soon", second: "closing_late" },
};
const DUE = { first: "due_soon", second: "due_late" } as const;

/** A column's heading sorts by it, and then the other way round. */
function sorting({ key }: Column, { values, query, tab }: BoardQuery): Partial<Column> {
  const own = key === "timing" && tab === "repaying" ? DUE : SORTS[key];
  const look = { hasBar: key === "funded" };
  if (own === undefined) return look;
  const { first, second, falls } = { falls: false, ...own };
  const isFirst = query.sort === first;
  const isSorted = isFirst || query.sort === second;
  return {
    ...look,
    sortHref: boardPath(values, { sort: isFirst ? second : first }),
    sorted: isSorted ? (isFirst === falls ? "descending" : "ascending") : undefined,
  };
}
