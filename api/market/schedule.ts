/** @module The repayment schedule of a raise: a bullet loan, principal and interest due at maturity, and the payments so far. */
import { DAY, isoTime } from "../../config/format/time.ts";
import { repaymentTolerance } from "../../src/fold/rules.ts";
import type { RepaymentRow } from "../../src/fold/state.ts";
import { type Published, repaidInterestOf } from "./listing.ts";
import type { Listing, Schedule } from "./schema.ts";

/** Basis points of a year of 365 days. */
const BPS_DAYS = 3_650_000n;

export type ScheduleParameters = Published & {
  /** this listing's, in chain order */
  repayments: readonly RepaymentRow[];
  /** unix seconds */
  now: bigint;
};

/** Simple interest for the whole term on a 365-day year, rounded down; base units. */
export function interestOn(
  principal: bigint,
  { couponRateBps, tenorDays }: Pick<Listing, "couponRateBps" | "tenorDays">,
): bigint {
  return (principal * BigInt(couponRateBps) * BigInt(tenorDays)) / BPS_DAYS;
}

/** The amount that an auction would accept if it closed now, base units: bids may exceed its target. */
export function acceptedNow({
  raisedAmount,
  targetAmount,
}: Pick<Listing, "raisedAmount" | "targetAmount">): bigint {
  const [raised, target] = [BigInt(raisedAmount), BigInt(targetAmount)];
  return raised < target ? raised : target;
}

/**
 * The schedule at `now`. Before the drawdown it assumes that the raise closes with the amount raised so far. Nothing is due on one
 * that ended without a drawdown.
 */
export function scheduleOf({ row, listing, repayments, now }: ScheduleParameters): Schedule {
  const estimated = row.drawnAmount === null || row.maturityAt === null;
  const principal = row.drawnAmount ?? (isNeverDue(listing, { estimated }) ? 0n : row.raisedAmount);
  const tenorDays = BigInt(listing.tenorDays);
  const interest = interestOn(principal, listing);
  const { indicativeRateBps } = listing;
  const indicative =
    indicativeRateBps === null
      ? null
      : interestOn(acceptedNow(listing), { ...listing, couponRateBps: indicativeRateBps });
  return {
    estimated,
    maturityAt: isoTime(row.maturityAt ?? (row.closeAt ?? now) + tenorDays * DAY),
    principal: principal.toString(),
    interest: interest.toString(),
    indicativeInterest: indicative?.toString() ?? null,
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

/** Whether no money was drawn, and none can be any more. */
export function isNeverDue(
  { acceptsMoney, status }: Pick<Listing, "acceptsMoney" | "status">,
  { estimated }: Pick<Schedule, "estimated">,
): boolean {
  return estimated && !acceptsMoney && status !== "live";
}

/** The amounts still due. Base units, as decimal strings. */
export type Owed = { principal: string; interest: string; total: string };

/** Before the drawdown, and once the raise has ended, nothing is owed. */
export function owedOf(
  { outstandingPrincipal, repayment }: Pick<Listing, "outstandingPrincipal" | "repayment">,
  { estimated, interest, paidInterest }: Pick<Schedule, "estimated" | "interest" | "paidInterest">,
): Owed {
  const isOpen = !estimated && repayment !== "repaid" && repayment !== "written_off";
  const principal = isOpen ? BigInt(outstandingPrincipal) : 0n;
  const unpaid = BigInt(interest) - BigInt(paidInterest);
  const owedInterest = isOpen && unpaid > 0n ? unpaid : 0n;
  return {
    principal: principal.toString(),
    interest: owedInterest.toString(),
    total: (principal + owedInterest).toString(),
  };
}

/** Whether all that a loan owes is interest. Not told where a contract reports that no principal is owed, but not how it was paid. */
export function owesInterestAlone(listing: Listing): boolean {
  const { status, repayment, outstandingPrincipal, drawnAmount, repaidAmount } = listing;
  if (status !== "live" || repayment === "not_drawn" || outstandingPrincipal !== "0") return false;
  const interest = interestOn(BigInt(drawnAmount), listing);
  return repaidAmount !== "0" && isUnpaid(interest - repaidInterestOf(listing), interest);
}

/** Whether a rest is more than what contracts lose as they round each payment. */
function isUnpaid(rest: bigint, interest: bigint): boolean {
  return rest > repaymentTolerance(interest);
}

/** The unpaid rest of a settled loan: its loss, and the rest of the interest. Zero for any other. */
export function neverPaidOf(
  { status, writtenOffAmount }: Pick<Listing, "status" | "writtenOffAmount">,
  { estimated, interest, paidInterest }: Pick<Schedule, "estimated" | "interest" | "paidInterest">,
): Owed {
  const isSettled = !estimated && status === "matured";
  const principal = isSettled ? BigInt(writtenOffAmount) : 0n;
  const unpaid = BigInt(interest) - BigInt(paidInterest);
  const rest = isSettled && isUnpaid(unpaid, BigInt(interest)) ? unpaid : 0n;
  return { principal: `${principal}`, interest: `${rest}`, total: `${principal + rest}` };
}

/** Whether a payment is overdue, in grace or beyond. */
export function isPastDue({ repayment }: Pick<Listing, "repayment">): boolean {
  return repayment === "grace" || repayment === "late" || repayment === "default";
}

/** Whole days since maturity while principal is still owed; null while nothing is overdue. @param now unix seconds of the head */
export function daysOverdue(
  listing: Pick<Listing, "maturityAt" | "repayment" | "outstandingPrincipal">,
  now: bigint,
): number | null {
  const { maturityAt, outstandingPrincipal } = listing;
  if (!isPastDue(listing) || maturityAt === null || outstandingPrincipal === "0") return null;
  return Math.floor((Number(now) - Date.parse(maturityAt) / 1000) / Number(DAY));
}
