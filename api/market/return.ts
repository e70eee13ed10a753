/** @module The money-weighted return of loans: the yearly rate at which what came back is worth what was lent. Pure. */

import { dayOf } from "./periods.ts";

export type CashFlows = {
  /** lent on day 0 of each loan; base units */
  lent: bigint;
  /** paid back, by whole days since the drawdown of its loan; base units */
  readonly paid: Map<number, bigint>;
};

/** A payment of a loan: unix seconds, base units. */
type Payment = { blockTime: bigint; principal: bigint; interest: bigint };

export function noFlows(): CashFlows {
  return { lent: 0n, paid: new Map() };
}

/**
 * The cash flows of one loan, by whole days since its drawdown. A payment before the drawdown counts on day 0.
 * @param lent the principal lent, base units
 * @param drawnAt the time of the drawdown, unix seconds
 */
export function flowsOf(lent: bigint, drawnAt: bigint, payments: readonly Payment[]): CashFlows {
  const flows = { ...noFlows(), lent };
  for (const { blockTime, principal, interest } of payments)
    addTo(flows.paid, Math.max(0, dayOf(blockTime) - dayOf(drawnAt)), principal + interest);
  return flows;
}

/** Makes loans part of others, or takes them away again. */
export function addFlows(all: CashFlows, { lent, paid }: CashFlows, sign: 1n | -1n = 1n): void {
  all.lent += sign * lent;
  for (const [day, amount] of paid) addTo(all.paid, day, sign * amount);
}

/** Several loans as one. */
export function flowsTogether(all: readonly CashFlows[]): CashFlows {
  const together = noFlows();
  for (const flows of all) addFlows(together, flows);
  return together;
}

export function addTo<Key>(sums: Map<Key, bigint>, key: Key, amount: bigint): void {
  const sum = (sums.get(key) ?? 0n) + amount;
  if (sum === 0n) sums.delete(key);
  else sums.set(key, sum);
}

/** Above any return that a loan can have, as a discount factor of a day: −10000 basis points are beyond it. */
const LARGEST_FACTOR = 1.1;
/** A million percent, which only a loan of a few days can earn. */
const LARGEST_RATE = 100_000_000;
const DAYS = 365;
const BPS = 10_000;

/**
 * The yearly return in basis points, compounded daily on a 365-day year and rounded to the nearest; −10000 when nothing came back, null
 * when nothing was lent, when everything came back on the first day, and above a million percent.
 *
 * The factor of a day is found by halving, with additions and multiplications of doubles alone: these are the same on every machine. The
 * powers of `Math.pow` need not be.
 */
export function yearlyReturnBps({ lent, paid }: CashFlows): number | null {
  if (lent === 0n) return null;
  const days = [...paid.entries()].filter(([, amount]) => amount > 0n).sort(([a], [b]) => b - a);
  if (days.length === 0) return -BPS;
  const shares = days.map(([day, amount]) => [day, Number(amount) / Number(lent)] as const);
  const worthAt = (factor: number): number => {
    let worth = 0;
    let at = shares[0]?.[0] ?? 0;
    for (const [day, share] of shares) {
      worth = worth * power(factor, at - day) + share;
      at = day;
    }
    return worth * power(factor, at);
  };
  if (worthAt(0) >= 1) return null;
  if (worthAt(LARGEST_FACTOR) < 1) return -BPS;
  let [low, high] = [0, LARGEST_FACTOR];
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    if (worthAt(middle) < 1) low = middle;
    else high = middle;
  }
  // Not −0.
  const rate = Math.round((1 / power(high, DAYS) - 1) * BPS) + 0;
  return rate <= LARGEST_RATE ? rate : null;
}

/** By squaring, with multiplications alone. */
function power(base: number, exponent: number): number {
  let result = 1;
  let square = base;
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result *= square;
    square *= square;
  }
  return result;
}
