/** @jsxImportSource hono/jsx */
/**
 * The chart of a raise's money over time: committed, repaid and refunded, with target, minimum, and the days that
 * matter.
 * @module
 */

import { isoTime } from "../../../config/format/time.ts";
import type { MoneyPoint } from "../../ledger/series.ts";
import { formatAmount } from "../../market/amount.ts";
import type { Listing } from "../../market/schema.ts";
import { tableOf } from "../blocks.ts";
import type { Chart, Table } from "../page.ts";
import { formatDate, formatTime } from "../times.ts";
import { amount, time } from "../value.ts";
import { chartDrawing } from "./drawing.tsx";
import { drawMoney, type MoneyScene } from "./money-drawing.tsx";

type Marked = Pick<
  Listing,
  "refnum" | "targetAmount" | "minRaise" | "closeAt" | "drawnDownAt" | "maturityAt"
>;

export type MoneyOverTimeParameters = {
  /** unique on the page */
  id: string;
  listing: Marked;
  /** the running totals up to the head (`cumulative`) */
  points: readonly MoneyPoint[];
};

/** Days further ahead are left to the text: the rest would be too narrow to read. */
const FURTHEST_SECONDS = 5n * 366n * 86_400n;

/** The chart of a raise. One point is enough; nothing is drawn before any money moved. */
export function moneyOverTime({ id, listing, points }: MoneyOverTimeParameters): Chart {
  const [first] = points;
  const last = points.at(-1);
  const target = BigInt(listing.targetAmount);
  const minimum = BigInt(listing.minRaise);
  const goals = `Target ${formatAmount(target)}, ${minimum === 0n ? "no minimum" : `minimum ${formatAmount(minimum)}`}.`;
  const rows = points.some(hasMoved) ? thinned(changesOf(points)) : [];
  const chart = {
    title: "Money over time",
    table: moneyTable(
      rows,
      `Running totals of the money: principal committed, principal and interest repaid, refunds. ${goals}`,
    ),
  };
  if (first === undefined || last === undefined || rows.length === 0) return { ...chart, svg: null };

  const days = [
    { label: "Closing time", at: listing.closeAt },
    { label: "Drawdown", at: listing.drawnDownAt },
    { label: "Maturity", at: listing.maturityAt },
  ].flatMap(({ label, at }) => (at === null ? [] : [{ label, at: secondsOf(at), day: formatDate(at) }]));
  const scene: MoneyScene = {
    points,
    levels: levelsOf(target, minimum),
    days: days.filter(
      ({ at }) => at >= first.at && at - first.at <= maximum(last.at - first.at, FURTHEST_SECONDS),
    ),
    readings: rows.map(({ at }) => at),
  };
  const description = [
    `Up to ${formatTime(isoTime(last.at))}: committed ${formatAmount(last.committed)}, repaid ${formatAmount(last.repaid)}, refunded ${formatAmount(last.refunded)}.`,
    goals,
    ...days.map(({ label, day }) => `${label} ${day}.`),
  ].join(" ");
  const title = `Money over time of ${listing.refnum}`;
  return {
    ...chart,
    svg: chartDrawing({ id, title, description, draw: (canvas) => drawMoney(scene, canvas) }),
  };
}

function hasMoved({ committed, refunded, repaid }: MoneyPoint): boolean {
  return committed !== 0n || refunded !== 0n || repaid !== 0n;
}

/** Zero levels are left out, equal ones merged. */
function levelsOf(target: bigint, minimum: bigint): MoneyScene["levels"] {
  if (target === minimum) return [{ label: "Target and minimum", amount: target }].filter(isAboveZero);
  return [
    { label: "Target", amount: target },
    { label: "Minimum", amount: minimum },
  ].filter(isAboveZero);
}

function isAboveZero({ amount }: { amount: bigint }): boolean {
  return amount > 0n;
}

function secondsOf(iso: string): bigint {
  return BigInt(Math.floor(Date.parse(iso) / 1000));
}

function maximum(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

const MOST_ROWS = 40;

/** The points at which a total changed, and the last one. */
function changesOf(points: readonly MoneyPoint[]): readonly MoneyPoint[] {
  return points.filter((point, index) => {
    const before = points[index - 1];
    return (
      index === points.length - 1 ||
      (before !== undefined &&
        (point.committed !== before.committed ||
          point.refunded !== before.refunded ||
          point.repaid !== before.repaid))
    );
  });
}

function moneyTable(rows: readonly MoneyPoint[], caption: string): Table {
  return tableOf({
    // In Markdown a colon follows the caption.
    caption: caption.replace(/\.$/, ""),
    items: rows,
    keyOf: ({ at }) => `${at}`,
    columns: [
      ["at", "Up to", ({ at }) => time(isoTime(at))],
      ["raisedAmount", "Committed", ({ committed }) => amount(`${committed}`), "end"],
      ["repaidAmount", "Repaid", ({ repaid }) => amount(`${repaid}`), "end"],
      ["refundedAmount", "Refunded", ({ refunded }) => amount(`${refunded}`), "end"],
    ],
    empty: "No money has moved yet.",
  });
}

/** Thinned to a readable number, always with the last one. */
function thinned(points: readonly MoneyPoint[]): readonly MoneyPoint[] {
  if (points.length <= MOST_ROWS) return points;
  return Array.from({ length: MOST_ROWS }, (_, row) => {
    const index = Math.round((row * (points.length - 1)) / (MOST_ROWS - 1));
    return points.slice(index, index + 1);
  }).flat();
}
