/** @module For each served total of a listing, the last event with a running total, and the changes by later events. */
import type { LedgerRow, MoneyDeltas } from "../../src/fold/state.ts";
import type { EventKind } from "../../src/fold/vocabulary.ts";

/** An event with what it changed in the figures of its listing. */
export type MoneyRow = LedgerRow & MoneyDeltas;

/** A part of a sum: an amount that an event has in one of its fields. Base units. */
type Part = { row: MoneyRow; field: string; sign: "+" | "-"; amount: bigint };

/** A served figure, in base units, and the events that it follows from. */
export type DerivedTotal = {
  value: bigint;
  /** the event that carries the total; null when the parts alone make it */
  source: MoneyRow | null;
  /** the source's field with the total; null without a source, and when the source ends the figure, which is then 0 */
  field: string | null;
  /** amounts to add to the source's total, or to 0, oldest first; null when the figure does not follow from such a sum */
  parts: readonly Part[] | null;
};

/** How a figure follows from the events of some kinds. */
export type TotalRule = {
  kinds: readonly EventKind[];
  /** The field of an event that carries the total after it, and the total; null when it carries none. */
  carried(row: MoneyRow): { field: string | null; total: bigint } | null;
  /** The event's change of the figure, as the fold counted it. */
  change(row: MoneyRow): bigint;
  /** The same from the event's own amounts. */
  parts(row: MoneyRow): readonly Omit<Part, "row">[];
};

const amountOf = ({ args }: MoneyRow, field: string) => BigInt(`${args[field]}`);
const carriedIn = (row: MoneyRow, field: string) => ({ field, total: amountOf(row, field) });
const part = (row: MoneyRow, field: string, sign: "+" | "-" = "+") => ({
  field,
  sign,
  amount: amountOf(row, field),
});

/** A running total that every event of one kind carries, and the last one decides. */
const runningTotal = (kind: EventKind, field: string): TotalRule => ({
  kinds: [kind],
  carried: (row) => carriedIn(row, field),
  change: () => 0n,
  parts: () => [],
});

/** By the name of the figure: a listing's field, or `claimedAmount`, which only the events have. */
export const TOTAL_RULES = {
  raisedAmount: {
    kinds: ["subscribed", "refunded", "listing_closed"],
    carried: (row) => {
      if (row.kind === "refunded") return null;
      return carriedIn(row, row.kind === "subscribed" ? "totalRaised" : "raisedAmount");
    },
    change: ({ committed }) => committed ?? 0n,
    parts: (row) => {
      if (row.kind === "listing_closed") return [];
      return [part(row, "amount", row.kind === "subscribed" ? "+" : "-")];
    },
  },
  refundedAmount: runningTotal("refunded", "totalRefunded"),
  reserveBalance: runningTotal("reserve_changed", "reserveBalance"),
  outstandingPrincipal: {
    kinds: ["drawn_down", "repaid", "listing_settled"],
    carried: (row) => {
      // A settled raise owes nothing, whatever was written off.
      if (row.kind === "listing_settled") return { field: null, total: 0n };
      return carriedIn(row, row.kind === "repaid" ? "outstandingPrincipal" : "amount");
    },
    change: ({ outstanding }) => outstanding ?? 0n,
    parts: () => [],
  },
  claimedAmount: runningTotal("payout_claimed", "totalClaimed"),
  repaidAmount: {
    kinds: ["repaid"],
    carried: () => null,
    change: ({ repaidPrincipal, repaidInterest }) => (repaidPrincipal ?? 0n) + (repaidInterest ?? 0n),
    parts: (row) => [part(row, "principal"), part(row, "interest")],
  },
} as const satisfies Record<string, TotalRule>;

export type TotalName = keyof typeof TOTAL_RULES;
export const TOTAL_NAMES = Object.keys(TOTAL_RULES) as TotalName[];

/**
 * Searches back from the newest event for one that carries the figure's total after it.
 * @param value the figure; null when the newest event's total is the figure
 * @param rows events of the rule's kinds, newest first
 * @param isWhole whether these are all such events
 */
export function deriveTotal(
  rule: TotalRule,
  value: bigint | null,
  rows: readonly MoneyRow[],
  isWhole: boolean,
): DerivedTotal {
  const newest = rows[0];
  const served = value ?? (newest === undefined ? 0n : (rule.carried(newest)?.total ?? 0n));
  const parts: Part[] = [];
  let after = served;
  for (const row of rows) {
    const carried = rule.carried(row);
    if (carried?.total === after)
      return { value: served, source: row, field: carried.field, parts: parts.reverse() };
    const change = rule.change(row);
    if (change === 0n) continue;
    const own = rule.parts(row).filter(({ amount }) => amount !== 0n);
    if (own.reduce((sum, { sign, amount }) => sum + (sign === "+" ? amount : -amount), 0n) !== change) break;
    parts.push(...own.map((one) => ({ row, ...one })).reverse());
    after -= change;
  }
  const isSum = isWhole && after === 0n;
  return { value: served, source: null, field: null, parts: isSum ? parts.reverse() : null };
}
