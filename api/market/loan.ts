/** @module The outcome of a loan, and the actual earnings of its backers. */

import { DAY } from "../../config/format/time.ts";
import type { Credit } from "./grade-history.ts";
import { type CashFlows, flowsOf, flowsTogether, yearlyReturnBps } from "./return.ts";

/** A drawn raise. Base units and unix seconds. */
export type Loan = {
  principal: bigint;
  drawnAt: bigint;
  maturityAt: bigint;
  /** when it was paid off or settled; null while it is owed */
  endedAt: bigint | null;
  /** whole days from the due date to the end, or to now; 0 when it was on time, less than a day late, or is not due yet */
  daysLate: number;
  /** principal that was written off */
  lost: bigint;
  /** what the reserve paid */
  fromReserve: bigint;
  /** lent, and paid back with interest */
  flows: CashFlows;
};

/** @param now the head's time, unix seconds */
export function loanOf(credit: Credit, now: bigint): Loan {
  const { principal, drawnAt, maturityAt, endedAt, settledAt, unpaid, reserveApplied, repayments } = credit;
  const end = endedAt ?? now;
  const lost = settledAt === null ? 0n : unpaid;
  return {
    principal,
    drawnAt,
    maturityAt,
    endedAt,
    daysLate: end > maturityAt ? Number((end - maturityAt) / DAY) : 0,
    lost,
    fromReserve: reserveApplied,
    flows: flowsOf(principal, drawnAt, repayments),
  };
}

/**
 * The backers' yearly earnings on the money that was lent, after losses: the money-weighted return of the loans that have ended
 * (`return.ts`), in basis points. Loans that are still owed do not count; null when none has ended.
 */
export function realisedBps(loans: readonly Loan[]): number | null {
  return yearlyReturnBps(
    flowsTogether(loans.flatMap(({ endedAt, flows }) => (endedAt === null ? [] : [flows]))),
  );
}
