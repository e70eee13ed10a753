/** @module The record of a business: how its raises ended, its debt, and how late it is. */
import { formatAmount } from "../../market/amount.ts";
import type { Originator } from "../../market/originator.ts";
import type { Listing, OwedRepayment, Rating } from "../../market/schema.ts";
import type { BusinessRecord } from "../../market/stats.ts";
import { acceptsMoney } from "../../market/status.ts";
import { OVERDUE_TONES } from "../standing.ts";
import { amount, NONE, REPAYMENT_WORDS, type Tone, textOf, type Value, word } from "../value.ts";
import type { BusinessLoan } from "./loans.ts";

/** The stages of a raise, in the order of a reader's interest. "Not funded" is below its minimum. */
const STAGES = [
  "open",
  "funded or repaying",
  "repaid",
  "with a loss",
  "not funded",
  "voided",
  "cancelled",
] as const;
type Stage = (typeof STAGES)[number];

function stageOf({ status, repayment }: Pick<Listing, "status" | "repayment">): Stage {
  if (acceptsMoney(status)) return "open";
  if (status === "live") return "funded or repaying";
  if (status === "voided" || status === "cancelled") return status;
  if (status !== "matured") return "not funded";
  return repayment === "written_off" ? "with a loss" : "repaid";
}

/** Such as "1 open, 3 repaid". */
export function stagesText(record: BusinessRecord): string {
  const { byStatus } = record;
  const { repaid, lost } = endedRaises(record);
  const counts: Record<Stage, number> = {
    open: byStatus.listed + byStatus.funding,
    "funded or repaying": byStatus.live,
    repaid,
    "with a loss": lost,
    "not funded": byStatus.refunding,
    voided: byStatus.voided,
    cancelled: byStatus.cancelled,
  };
  return STAGES.flatMap((stage) => (counts[stage] === 0 ? [] : [`${counts[stage]} ${stage}`])).join(", ");
}

/** Open raises first, then loans with the longest overdue first, then those that ended; otherwise as they come. */
export function byStage(listings: Iterable<Listing>): readonly Listing[] {
  const rank = (listing: Listing) =>
    10 * STAGES.indexOf(stageOf(listing)) - OVERDUE.indexOf(listing.repayment as (typeof OVERDUE)[number]);
  return [...listings].sort((a, b) => rank(a) - rank(b));
}

const OVERDUE = Object.keys(OVERDUE_TONES) as (keyof typeof OVERDUE_TONES)[];

/** An amount owed, in a table: without debt people read no figure, and programs 0. */
export function owedAmount(outstanding: string): Value {
  return outstanding === "0" ? word(textOf(NONE), outstanding) : amount(outstanding, null);
}

/**
 * How many of the loans that were repaid or fell due were on time, such as "7 of 8"; for programs the first number. An unpaid loan counts
 * once its due date has passed.
 */
export function onTimeValue({ rating: { byDaysLate } }: Pick<Originator, "rating">): Value {
  const due = dueIn(byDaysLate);
  return due === 0 ? NONE : word(`${byDaysLate.onTime} of ${due}`, `${byDaysLate.onTime}`);
}

function dueIn(byDaysLate: Rating["byDaysLate"]): number {
  return Object.values(byDaysLate).reduce((sum, raises) => sum + raises, 0);
}

/** Whether the grade counts raises that are not published. @param loans the published ones @param now unix seconds of the head */
export function countsUnpublished(
  { rating }: Pick<Originator, "rating">,
  loans: readonly BusinessLoan[],
  now: bigint,
): boolean {
  const due = loans.filter(({ loan }) => loan.endedAt !== null || now > loan.maturityAt);
  return dueIn(rating.byDaysLate) > due.length;
}

/** Raises with a payment overdue. */
export function overdueRaises({ outstandingByRepayment }: BusinessRecord): number {
  return OVERDUE.reduce((sum, state) => sum + outstandingByRepayment[state].listings, 0);
}

/** Raises that were repaid, and those that ended with a loss. */
export function endedRaises({ byStatus, lostLoans }: BusinessRecord): { repaid: number; lost: number } {
  return { repaid: byStatus.matured - lostLoans, lost: lostLoans };
}

function isOwedIn({ outstandingByRepayment }: BusinessRecord, state: OwedRepayment): boolean {
  return outstandingByRepayment[state].amount !== "0";
}

/** The worst state of its overdue loans; undefined without one. */
export function worstOverdue(record: BusinessRecord) {
  return OVERDUE.findLast((state) => isOwedIn(record, state));
}

/** How good or bad the worst loan of a business is; idle when it owes nothing. */
export function toneOf(record: BusinessRecord): Tone {
  const worst = worstOverdue(record);
  if (worst !== undefined) return OVERDUE_TONES[worst];
  return record.outstanding === "0" ? "idle" : "good";
}

/** Overdue amounts, the worst first, such as "20,000 in default, 5,000 late"; for programs the sum. */
export function overdueValue(record: BusinessRecord): Value {
  const parts = OVERDUE.filter((state) => isOwedIn(record, state))
    .map((state) => ({
      label: REPAYMENT_WORDS[state].toLowerCase(),
      owed: record.outstandingByRepayment[state].amount,
    }))
    .toReversed();
  if (parts.length === 0) return NONE;
  const amounts = parts.map(({ owed, label }) => `${formatAmount(owed, { unit: null })} ${label}`);
  const sum = parts.reduce((total, { owed }) => total + BigInt(owed), 0n);
  return word(amounts.join(", "), `${sum}`, toneOf(record));
}
