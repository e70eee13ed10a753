/**
 * The repayment schedule of a raise: a bullet loan, principal and interest due at maturity, and the payments so far.
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

/** The schedule at `now`. Before the drawdown it assumes that the raise closes with the amount raised so far. */
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
