/** @module For each served total of a listing, the last event with a running total, and the changes by later events. */
import { outstandingPrincipal, RESERVE_SIGN } from "../../src/fold/rules.ts";
import type { LedgerRow, ListingRow, MoneyDeltas } from "../../src/fold/state.ts";
import type { EventKind } from "../../src/fold/vocabulary.ts";

/** An event with what it changed in the figures of its listing. */
export type MoneyRow = LedgerRow & MoneyDeltas;

/** A part of a sum: an amount that an event has in one of its fields. Base units. */
type Part = { row: MoneyRow; field: string; sign: "+" | "-"; amount: bigint };

/** Most events that are named as the sum of a total. */
export const MOST_EVENTS = 1_000;

/** Why a figure has no parts: more events than are named, events that contradict themselves, or rules beyond events. */
export const UNEXPLAINED = ["too_many_events", "no_such_sum", "derived"] as const;

/** A served figure, in base units, and the events that it follows from. */
export type DerivedTotal = {
  value: bigint;
  /** the event that carries the total; null when the parts alone make it */
  source: MoneyRow | null;
  /** the source's field with the total; null without a source, and when the source ends the figure, which is then 0 */
  field: string | null;
  /** amounts to add to the source's total, or to 0, oldest first; null when the figure does not follow from such a sum */
  parts: readonly Part[] | null;
  /** why there are no parts; null with parts */
  unexplained: (typeof UNEXPLAINED)[number] | null;
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

const amountOf = ({ args }: MoneyRow, field: string) => BigInt(`${args[field] ?? 0}`);
/** Null where the contracts have no running total. */
const carriedIn = (row: MoneyRow, field: string) =>
  row.args[field] == null ? null : { field, total: amountOf(row, field) };
const part = (row: MoneyRow, field: string, sign: "+" | "-" = "+", shownAs = field) => ({
  field: shownAs,
  sign,
  amount: amountOf(row, field),
});

/** A total that every event of one kind changes by its amount, and carries unless the contracts have no running totals. */
const runningTotal = (
  kind: EventKind,
  field: string,
  signOf: (row: MoneyRow) => "+" | "-" | null,
): TotalRule => {
  const parts = (row: MoneyRow) => {
    const sign = carriedIn(row, field) === null ? signOf(row) : null;
    return sign === null ? [] : [part(row, "amount", sign)];
  };
  return {
    kinds: [kind],
    carried: (row) => carriedIn(row, field),
    change: (row) => sumOf(parts(row)),
    parts,
  };
};

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
  refundedAmount: runningTotal("refunded", "totalRefunded", () => "+"),
  reserveBalance: runningTotal("reserve_changed", "reserveBalance", ({ args }) => {
    const sign = RESERVE_SIGN[`${args.reason}`];
    return sign === undefined ? null : sign > 0n ? "+" : "-";
  }),
  outstandingPrincipal: {
    kinds: ["drawn_down", "repaid", "listing_settled"],
    carried: (row) => {
      // A settled raise owes nothing, whatever was written off.
      if (row.kind === "listing_settled") return { field: null, total: 0n };
      return carriedIn(row, row.kind === "repaid" ? "outstandingPrincipal" : "amount");
    },
    change: ({ outstanding }) => outstanding ?? 0n,
    parts: (row) => {
      if (row.kind !== "repaid" || carriedIn(row, "outstandingPrincipal") !== null) return [];
      return [part(row, "principal", "-"), part(row, "amount", "-", "paidAmount")];
    },
  },
  claimedAmount: runningTotal("payout_claimed", "totalClaimed", () => "+"),
  repaidAmount: {
    kinds: ["repaid"],
    carried: () => null,
    change: ({ repaidPrincipal, repaidInterest }) => (repaidPrincipal ?? 0n) + (repaidInterest ?? 0n),
    parts: (row) => [part(row, "principal"), part(row, "interest"), part(row, "amount", "+", "paidAmount")],
  },
} as const satisfies Record<string, TotalRule>;

export type TotalName = keyof typeof TOTAL_RULES;
export const TOTAL_NAMES = Object.keys(TOTAL_RULES) as TotalName[];

/**
 * Searches back from the newest event for one that carries the figure's total after it.
 * @param value the figure; null when it follows from the newest total that an event carries
 * @param rows events of the rule's kinds, newest first
 * @param isWhole whether these are all such events
 */
export function deriveTotal(
  rule: TotalRule,
  value: bigint | null,
  rows: readonly MoneyRow[],
  isWhole: boolean,
): DerivedTotal {
  const served = value ?? newestTotal(rule, rows);
  const parts: Part[] = [];
  let after = served;
  let isContradicted = false;
  for (const row of rows) {
    const carried = rule.carried(row);
    if (carried?.total === after)
      return {
        ...{ value: served, source: row, field: carried.field },
        ...{ parts: parts.reverse(), unexplained: null },
      };
    const change = rule.change(row);
    if (change === 0n) continue;
    const own = rule.parts(row).filter(({ amount }) => amount !== 0n);
    isContradicted = sumOf(own) !== change && !paysOff(own, change, after);
    if (isContradicted) break;
    parts.push(...own.map((one) => ({ row, ...one })).reverse());
    after -= change;
  }
  const none = { value: served, source: null, field: null };
  if (isWhole && !isContradicted && after === 0n)
    return { ...none, parts: parts.reverse(), unexplained: null };
  return { ...none, parts: null, unexplained: isWhole || isContradicted ? "no_such_sum" : "too_many_events" };
}

/** A listing's figures in the tables. */
export type StoredFigures = Pick<
  ListingRow,
  "raisedAmount" | "refundedAmount" | "outstandingPrincipal" | "drawnDownAt" | "terminalKind" | "updatedBlock"
>;
type Served = { raisedAmount: string; refundedAmount: string; outstandingPrincipal: string };

/**
 * Marks the totals that the market serves otherwise than the events have them, such as the principal of a raise whose contract has
 * no event of the drawdown: no proof can be made of these.
 * @param stored the listing in the tables
 * @param head number of the block as of which it is served; tables ahead of it tell nothing
 */
export function markDerived<Total extends DerivedTotal>(
  totals: Readonly<Record<TotalName, Total>>,
  { stored, served, head }: { stored: StoredFigures | null; served: Served; head: bigint },
): Record<TotalName, Total> {
  const marked = { ...totals };
  if (stored === null || stored.updatedBlock > head) return marked;
  const figures = { ...stored, outstandingPrincipal: outstandingPrincipal(stored) };
  for (const name of ["raisedAmount", "refundedAmount", "outstandingPrincipal"] as const) {
    if (served[name] === `${figures[name]}`) continue;
    const none = { source: null, field: null, inclusion: null, parts: null, unexplained: "derived" as const };
    marked[name] = { ...totals[name], value: BigInt(served[name]), ...none };
  }
  return marked;
}

/** The newest total that an event carries, with what later events changed. */
function newestTotal(rule: TotalRule, rows: readonly MoneyRow[]): bigint {
  let changes = 0n;
  for (const row of rows) {
    const carried = rule.carried(row);
    if (carried !== null) return atLeastZero(carried.total + changes);
    changes += rule.change(row);
  }
  return atLeastZero(changes);
}

function atLeastZero(amount: bigint): bigint {
  return amount < 0n ? 0n : amount;
}

/** Whether a payment of one amount paid all that was owed, the rest of it being interest. */
function paysOff(own: readonly Omit<Part, "row">[], change: bigint, after: bigint): boolean {
  const [only, ...others] = own;
  return others.length === 0 && only?.field === "paidAmount" && after === 0n && sumOf(own) < change;
}

function sumOf(parts: readonly Omit<Part, "row">[]): bigint {
  return parts.reduce((sum, { sign, amount }) => (sign === "+" ? sum + amount : sum - amount), 0n);
}
