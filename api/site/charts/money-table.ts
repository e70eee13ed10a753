/**
 * The rows behind the chart of money over time.
 * @module
 */
import type { MoneyPoint } from "../../ledger/series.ts";
import { isoTime } from "../../time.ts";
import type { Table } from "../page.ts";
import { amount, time } from "../value.ts";

const MOST_ROWS = 40;

/** The moments at which a total changed, thinned to what can be read, and always the last one. */
export function moneyTable(points: readonly MoneyPoint[], caption: string): Table {
  const changes = points.filter((point, index) => {
    const before = points[index - 1];
    return (
      index === points.length - 1 ||
      (before !== undefined &&
        (point.committed !== before.committed ||
          point.refunded !== before.refunded ||
          point.repaid !== before.repaid))
    );
  });
  return {
    // A caption is a name: what follows it in Markdown is a colon.
    caption: caption.replace(/\.$/, ""),
    columns: [
      { key: "at", label: "Up to" },
      { key: "raisedAmount", label: "Committed", align: "end" },
      { key: "repaidAmount", label: "Repaid", align: "end" },
      { key: "refundedAmount", label: "Refunded", align: "end" },
    ],
    rows: thinned(changes).map(({ at, committed, repaid, refunded }) => ({
      key: `${at}`,
      cells: [time(isoTime(at)), amount(`${committed}`), amount(`${repaid}`), amount(`${refunded}`)],
    })),
    empty: "No money has moved yet.",
  };
}

function thinned(points: readonly MoneyPoint[]): readonly MoneyPoint[] {
  if (points.length <= MOST_ROWS) return points;
  return Array.from({ length: MOST_ROWS }, (_, row) => {
    const index = Math.round((row * (points.length - 1)) / (MOST_ROWS - 1));
    return points.slice(index, index + 1);
  }).flat();
}
