/**
 * What is due on a raise and what was paid: a bullet loan, principal and interest at maturity.
 * @module
 */

import { isoTime } from "../../format/time.ts";
import type { RepaymentRow } from "../../src/fold/state.ts";
import type { Published } from "./listing.ts";
import type { Schedule } from "./schema.ts";

const DAY = 86_400n;
/** Basis points of a year of 365 days. */
const BPS_DAYS = 3_650_000n;

export type ScheduleParameters = Published & {
  /** of this listing, in the order of the chain */
  repayments: readonly RepaymentRow[];
  /** unix seconds */
  now: bigint;
};

/** The schedule at `now`. Until the drawdown it is what would be due if the raise closed with what it has. */
export function scheduleOf({ row, listing, repayments, now }: ScheduleParameters): Schedule {
  const estimated = row.drawnAmount === null || row.maturityAt === null;
  const principal = row.drawnAmount ?? row.raisedAmount;
  const tenorDays = BigInt(listing.tenorDays);
  const interest = (principal * BigInt(listing.couponRateBps) * tenorDays) / BPS_DAYS;
  return {
    estimated,
    maturityAt: isoTime(row.maturityAt ?? (row.closeAt ?? now) + tenorDays * DAY),
    principal: principal.toString(),
    interest: interest.toString(),
    total: (principal + interest).toString(),
    paidPrincipal: row.repaidPrincipal.toString(),
    paidInterest: row.repaidInterest.toString(),
    outstandingPrincipal: listing.outstandingPrincipal,
    payments: repayments.map(({ blockTime, principal, interest, txHash }) => ({
      at: isoTime(blockTime),
      principal: principal.toString(),
      interest: interest.toString(),
      txHash,
    })),
  };
}
