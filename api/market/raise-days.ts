/** @module The history of a raise as changes of figures by day, made of its row and of the ledger's deltas. Pure. */
import { closingTimePassed } from "../../src/fold/rules.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import { dayOf, endOfDay } from "./periods.ts";
import { OWED_REPAYMENTS, type OwedRepayment } from "./schema.ts";
import { openedAt, repaymentAt, repaymentTurns, statusAt } from "./status.ts";
import type { Visible } from "./visible.ts";

/** Amounts in base units, and counts. Each is a sum of changes, so that it adds up over days and over raises. */
export const MEASURES = [
  "opened",
  "closed",
  "reachedMinimum",
  "committed",
  "withdrawn",
  "lent",
  "lentTimesCoupon",
  "repaidPrincipal",
  "repaidInterest",
  "writtenOff",
  "reservesPosted",
  "reservesUsed",
  "reservesReleased",
  "offers",
  "trades",
  "traded",
  "tradedCost",
  "outstanding",
  "current",
  "grace",
  "late",
  "default",
] as const;
export type Measure = (typeof MEASURES)[number];

/** @param day days since 1970 in UTC */
type EachChange = (day: number, measure: Measure, amount: bigint) => void;

/** A visible raise, with what its days are made of. */
export type RaiseDays = Pick<
  Visible,
  "row" | "listing" | "flows" | "corrections" | "offers" | "trades" | "madeAt"
>;

/** The close of a raise that reached its minimum, and the seconds from its opening to there. */
export type Funding = { day: number; seconds: number };

/**
 * Calls back with every change up to the moment at which the raise was made (`madeAt`).
 *
 * It is an invariant that the amounts add up to the listing's: `committed` less `withdrawn` to `raisedAmount`, `lent` to
 * `drawnAmount`, the states to `outstandingPrincipal`, and so on.
 * @returns null for a raise that has not reached its minimum
 */
export function eachChange(raise: RaiseDays, change: EachChange): Funding | null {
  const { row, listing, offers, trades, madeAt } = raise;
  const opened = openedAt(row);
  change(dayOf(opened), "opened", 1n);
  const close = closeOf(row, madeAt);
  if (close !== null) {
    change(dayOf(close.at), "closed", 1n);
    if (close.reachedMinimum) change(dayOf(close.at), "reachedMinimum", 1n);
  }
  if (row.drawnDownAt !== null && row.drawnAmount !== null) {
    const day = dayOf(row.drawnDownAt);
    change(day, "lent", row.drawnAmount);
    change(day, "lentTimesCoupon", row.drawnAmount * BigInt(listing.couponRateBps));
  }
  if (row.terminalAt !== null && listing.writtenOffAmount !== "0")
    change(dayOf(row.terminalAt), "writtenOff", BigInt(listing.writtenOffAmount));
  for (const { createdAt } of offers) change(dayOf(createdAt), "offers", 1n);
  for (const { blockTime, seller, buyer, amount, cost } of trades) {
    // As in the summary of the desk, a trade with oneself is none.
    if (seller === buyer) continue;
    const day = dayOf(blockTime);
    change(day, "trades", 1n);
    change(day, "traded", amount);
    change(day, "tradedCost", cost);
  }
  eachFlow(raise, change);
  if (close === null || !close.reachedMinimum) return null;
  return { day: dayOf(close.at), seconds: close.at > opened ? Number(close.at - opened) : 0 };
}

function eachFlow(raise: RaiseDays, change: EachChange): void {
  const owed = new Map<number, bigint>();
  const owe = (day: number, amount: bigint) => owed.set(day, (owed.get(day) ?? 0n) + amount);
  for (const { day, measure, amount } of raise.flows) {
    if (measure === "outstanding") owe(day, amount);
    else change(day, measure, amount);
  }
  for (const { blockTime, kind, committed, ...more } of raise.corrections) {
    const day = dayOf(blockTime);
    if (committed !== null && kind === "subscribed") change(day, "committed", committed);
    else if (committed !== null) change(day, "withdrawn", -committed);
    if (more.repaidPrincipal !== null) change(day, "repaidPrincipal", more.repaidPrincipal);
    if (more.repaidInterest !== null) change(day, "repaidInterest", more.repaidInterest);
    if (more.outstanding !== null) owe(day, more.outstanding);
  }
  if (owed.size > 0) eachDebt(raise, owed, change);
}

/** The principal owed, and the state of its repayment at the end of each day. @param changes of the principal by day */
function eachDebt(
  { row, madeAt }: RaiseDays,
  changes: ReadonlyMap<number, bigint>,
  change: EachChange,
): void {
  const turns = row.maturityAt === null ? [] : repaymentTurns(row.maturityAt);
  const moments = [row.drawnDownAt, row.terminalAt, ...turns].filter(
    (moment): moment is bigint => moment !== null && moment <= madeAt,
  );
  const days = new Set([...changes.keys(), ...moments.map(dayOf)]);
  let total = 0n;
  let before: { state: OwedRepayment | null; amount: bigint } = { state: null, amount: 0n };
  for (const day of [...days].sort((a, b) => a - b)) {
    const changed = changes.get(day) ?? 0n;
    if (changed !== 0n) change(day, "outstanding", changed);
    total += changed;
    const end = endOfDay(day);
    const state = debtStateAt(row, end < madeAt ? end : madeAt);
    if (before.state !== null && before.amount !== 0n) change(day, before.state, -before.amount);
    if (state !== null && total !== 0n) change(day, state, total);
    before = { state, amount: total };
  }
}

/** The state of the repayment as it was. A debt that was taken back later, with its drawdown, was current. */
function debtStateAt(row: ListingRow, moment: bigint): OwedRepayment | null {
  const isBy = (at: bigint | null) => at !== null && at <= moment;
  if (!isBy(row.drawnDownAt)) return "current";
  const { writtenOffPrincipal, maturityAt, drawnDownAt } = row;
  const terminalKind = isBy(row.terminalAt) ? row.terminalKind : null;
  const state = repaymentAt({ terminalKind, writtenOffPrincipal, maturityAt, drawnDownAt }, moment);
  return OWED_REPAYMENTS.find((owed) => owed === state) ?? null;
}

/** When the subscription ended, and whether the minimum was reached by then, whatever came later; null while it goes on. */
function closeOf(row: ListingRow, now: bigint): { at: bigint; reachedMinimum: boolean } | null {
  const at = row.frozenAt ?? row.terminalAt ?? (closingTimePassed(row.closeAt, now) ? row.closeAt : null);
  if (at === null) return null;
  const { createdAt, terminalAt, frozenAt, decidedAt, closeAt, goLiveAt, firstSubscribedAt } = row;
  const terminalKind = terminalAt !== null && terminalAt > at ? null : row.terminalKind;
  // Only these of its fifty columns are copied.
  const times = { createdAt, terminalAt, frozenAt, decidedAt, closeAt, goLiveAt, firstSubscribedAt };
  const { raisedAmount, minRaise } = row;
  const { status } = statusAt({ ...times, terminalKind, raisedAmount, minRaise }, at);
  return { at, reachedMinimum: status === "live" || status === "matured" };
}

/** Whether two versions of a raise have the same history, in the same scopes: then nothing has to be counted again. */
export function isSameHistory(a: RaiseDays & Pick<Visible, "country">, b: typeof a): boolean {
  const hasCorrections = a.corrections.length > 0 || b.corrections.length > 0;
  return (
    a.row === b.row &&
    a.flows === b.flows &&
    a.offers === b.offers &&
    a.trades === b.trades &&
    (a.corrections === b.corrections || !hasCorrections) &&
    a.listing.status === b.listing.status &&
    a.listing.repayment === b.listing.repayment &&
    a.listing.originatorGrade === b.listing.originatorGrade &&
    a.country === b.country
  );
}
