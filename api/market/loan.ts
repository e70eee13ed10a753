/** @module What became of a loan, and what backers really earned on it: integers only, every division a floor. */
import { sumOf } from "./amount.ts";
import type { Credit } from "./grade-history.ts";
import { floorDivide } from "./yield.ts";

const YEAR = 365n * 86_400n;
const DAY = 86_400n;
const BPS = 10_000n;

/** A drawn raise. Base units and unix seconds. */
export type Loan = {
  principal: bigint;
  drawnAt: bigint;
  maturityAt: bigint;
  /** when it was paid off or settled; null while it is owed */
  endedAt: bigint | null;
  /** whole days from the due date to the end, or to now; 0 when it was on time or is not due yet */
  daysLate: number;
  /** principal that was written off */
  lost: bigint;
  /** interest paid less principal lost */
  earned: bigint;
  /** what the reserve paid */
  fromReserve: bigint;
  /** principal owed × seconds, until the end or now */
  moneySeconds: bigint;
};

/** @param now the head's time, unix seconds */
export function loanOf(credit: Credit, now: bigint): Loan {
  const { principal, drawnAt, maturityAt, endedAt, settledAt, unpaid, reserveApplied, repayments } = credit;
  const end = endedAt ?? now;
  const lost = settledAt === null ? 0n : unpaid;
  const interest = sumOf(repayments, (payment) => payment.interest);
  return {
    principal,
    drawnAt,
    maturityAt,
    endedAt,
    daysLate: end > maturityAt ? Number((end - maturityAt) / DAY) : 0,
    lost,
    earned: interest - lost,
    fromReserve: reserveApplied,
    moneySeconds: moneySecondsOf(credit, end),
  };
}

function moneySecondsOf({ principal, drawnAt, repayments }: Credit, end: bigint): bigint {
  let total = 0n;
  let owed = principal;
  let since = drawnAt;
  for (const { blockTime, outstandingPrincipal } of repayments) {
    if (blockTime < drawnAt || blockTime > end) continue;
    total += owed * (blockTime - since);
    owed = outstandingPrincipal;
    since = blockTime;
  }
  return end > since ? total + owed * (end - since) : total;
}

/**
 * What backers earned a year on the money that was lent, after losses: basis points, simple interest on a 365-day year, negative
 * when more was lost than was paid in interest. Loans that are still owed do not count; null when none has ended.
 */
export function realisedBps(loans: readonly Loan[]): number | null {
  const ended = loans.filter(({ endedAt }) => endedAt !== null);
  const moneySeconds = sumOf(ended, (loan) => loan.moneySeconds);
  if (moneySeconds === 0n) return null;
  return Number(floorDivide(sumOf(ended, ({ earned }) => earned) * BPS * YEAR, moneySeconds));
}
