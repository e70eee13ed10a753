/** The standing of a raise, in as few words as a card has room for. @module */
import { raisedShareBps } from "../market/listing.ts";
import { daysOverdue } from "../market/schedule.ts";
import type { Listing, OwedRepayment, Schedule } from "../market/schema.ts";
import { acceptsMoney, hasFailed } from "../market/status.ts";
import type { ProgressBar } from "./page.ts";
import { formatDate, timeUntil } from "./times.ts";
import { counted, part, REPAYMENT_WORDS, share, type Tone, textOf, type Value, word } from "./value.ts";

/** Unix seconds of the head. */
type Now = bigint;

type State = { label: string; tone: Tone };

/** The state of a raise in a word or two; serious states come with their figure. */
export function stateOf(listing: Listing, now: Now): State {
  const { status, refundableAmount, couponIsMaximum } = listing;
  if (acceptsMoney(status)) return { label: couponIsMaximum ? "Open auction" : "Open", tone: "busy" };
  if (status === "matured") return endOf(listing);
  if (!hasFailed(listing)) return loanOf(listing, now);
  const isOwed = refundableAmount !== "0";
  if (status === "refunding") {
    return isOwed ? { label: "Refunding", tone: "warn" } : { label: "Refunded", tone: "idle" };
  }
  const ending = status === "voided" ? "Voided" : "Cancelled";
  return isOwed ? { label: `${ending} · refunding`, tone: "warn" } : { label: ending, tone: "idle" };
}

/** The ways to be overdue, the mildest first. */
export const OVERDUE_TONES = { grace: "warn", late: "warn", default: "bad" } as const satisfies Partial<
  Record<OwedRepayment, Tone>
>;

/** Each part of what is owed in a bar: grace is not late yet. */
export const OWED_LOOKS: Record<OwedRepayment, { tone: Tone; isSoft?: boolean }> = {
  current: { tone: "good" },
  grace: { tone: "good", isSoft: true },
  late: { tone: "warn" },
  default: { tone: "bad" },
};

function loanOf(listing: Listing, now: Now): State {
  const { repayment, outstandingPrincipal } = listing;
  if (repayment === "not_drawn") return { label: "Funded", tone: "good" };
  if (outstandingPrincipal === "0") return { label: "Paid off", tone: "good" };
  if (repayment !== "grace" && repayment !== "late" && repayment !== "default") {
    return { label: "Repaying · on time", tone: "good" };
  }
  const days = counted(daysOverdue(listing, now) ?? 0, "days");
  return { label: `${REPAYMENT_WORDS[repayment]} · ${days} overdue`, tone: OVERDUE_TONES[repayment] };
}

function endOf({ repayment }: Listing): State {
  return repayment === "written_off"
    ? { label: "Ended with a loss", tone: "bad" }
    : { label: "Repaid", tone: "good" };
}

/** The state as a chip. For programs it is the status. */
export function stateValue(listing: Listing, now: Now): Value {
  const { label, tone } = stateOf(listing, now);
  return word(label, listing.status, tone);
}

/** The next date, such as "closes in 3 days". Coarse, so that a page does not change with every block. */
export function timingOf(listing: Listing, now: Now): string {
  const { status, repayment, closeAt, maturityAt, statusSince, outstandingPrincipal } = listing;
  if (acceptsMoney(status)) {
    const left = closeAt === null ? null : timeUntil(closeAt, now);
    return left === null ? "no closing time" : `closes in ${left}`;
  }
  if (status !== "live") return `ended ${formatDate(statusSince)}`;
  if (repayment === "not_drawn" || maturityAt === null) return "not drawn yet";
  if (outstandingPrincipal === "0") return "to be settled";
  const left = timeUntil(maturityAt, now);
  return left === null ? `due ${formatDate(maturityAt)}` : `due in ${left}`;
}

/** Progress: the committed part of the target, or once there is a loan, the repaid part of principal and interest. */
export type Done = { part: string; whole: string; word: string; shareBps: number | null; shareOf: string };

export function doneOf(listing: Listing, schedule: Schedule): Done {
  const { status, repayment, raisedAmount, targetAmount, repaidAmount } = listing;
  if ((status !== "live" && status !== "matured") || repayment === "not_drawn") {
    const shareBps = raisedShareBps(listing);
    return { part: raisedAmount, whole: targetAmount, word: "committed", shareBps, shareOf: "funded" };
  }
  const due = BigInt(schedule.total);
  const shareBps = due === 0n ? null : Number((BigInt(repaidAmount) * 10_000n) / due);
  return { part: repaidAmount, whole: schedule.total, word: "repaid", shareBps, shareOf: "repaid" };
}

export function doneValue({ part: some, whole, word }: Done): Value {
  return part(some, whole, word);
}

export function doneShare({ shareBps, shareOf }: Done): Value {
  return share(shareBps, shareOf);
}

/** The same as a bar, with the minimum marked while there is one to reach. */
export function doneBar(done: Done, { minRaise }: Pick<Listing, "minRaise">, tone?: Tone): ProgressBar {
  const { part: value, whole: max, word } = done;
  const isFunding = word === "committed";
  return {
    label: isFunding ? "Funding" : "Repayment",
    value,
    max,
    marks: isFunding && minRaise !== "0" ? [{ label: "Minimum", at: minRaise }] : [],
    text: textOf(doneValue(done)),
    isQuiet: true,
    tone: tone ?? (isFunding ? undefined : "good"),
  };
}
