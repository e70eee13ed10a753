/** @module The standing of a raise, in as few words as a card has room for. */

import { counted, countedDays } from "../../config/format/counted.ts";
import { formatAmount, shareBps } from "../market/amount.ts";
import { raisedShareBps } from "../market/listing.ts";
import type { Originator } from "../market/originator.ts";
import { daysOverdue, isPastDue, owesInterestAlone } from "../market/schedule.ts";
import type { Listing, OwedRepayment } from "../market/schema.ts";
import { rateWords, warningsOf } from "../market/sentences.ts";
import { acceptsMoney, hasFailed } from "../market/status.ts";
import type { ProgressBar } from "./page.ts";
import { formatDate, timeUntil } from "./times.ts";
import {
  capitalised,
  NONE,
  part,
  REPAYMENT_WORDS,
  share,
  type Tone,
  textOf,
  type Value,
  word,
} from "./value.ts";

/** Unix seconds of the head. */
type Now = bigint;

type State = { label: string; tone: Tone };

/** The marks of a raise's warnings; none for most. */
export function warningMarks(raise: Listing, business: Originator): Value {
  const marks = warningsOf(raise, business).map(({ mark }) => mark);
  return marks.length === 0 ? NONE : word(marks.join(" · "), marks.join(", "), "bad");
}

export const PLAINLY_OPEN = "Open";

/** The state of a raise in a word or two; serious states come with their figure. */
export function stateOf(listing: Listing, now: Now): State {
  const { status, raisedAmount, refundableAmount, couponIsMaximum } = listing;
  if (acceptsMoney(status)) return { label: couponIsMaximum ? "Open auction" : PLAINLY_OPEN, tone: "busy" };
  if (status === "matured") return endOf(listing);
  if (!hasFailed(listing)) return loanOf(listing, now);
  const isOwed = refundableAmount !== "0";
  if (status === "refunding") {
    if (raisedAmount === "0") return { label: "Not funded", tone: "idle" };
    return isOwed ? { label: "Refunding", tone: "warn" } : { label: "Refunded", tone: "idle" };
  }
  const ending = status === "voided" ? "Voided" : "Cancelled";
  return isOwed ? { label: `${ending} · refunding`, tone: "warn" } : { label: ending, tone: "idle" };
}

/** The ways to be overdue, the mildest first. */
export const OVERDUE_TONES = { grace: "warn", late: "warn", default: "bad" } as const satisfies Partial<
  Record<OwedRepayment, Tone>
>;

/** Each part of what is owed in a bar. */
export const OWED_LOOKS: Record<OwedRepayment, { tone: Tone; isSoft?: boolean }> = {
  current: { tone: "good" },
  grace: { tone: "warn", isSoft: true },
  late: { tone: "warn" },
  default: { tone: "bad" },
};

function loanOf(listing: Listing, now: Now): State {
  const { repayment, outstandingPrincipal } = listing;
  if (repayment === "not_drawn") return { label: "Funded", tone: "good" };
  if (owesInterestAlone(listing))
    return isPastDue(listing)
      ? { label: "Interest overdue", tone: "warn" }
      : { label: "Principal repaid", tone: "good" };
  if (outstandingPrincipal === "0") return { label: "Paid off", tone: "good" };
  if (repayment !== "grace" && repayment !== "late" && repayment !== "default") {
    return { label: "Repaying · on time", tone: "good" };
  }
  const days = countedDays(daysOverdue(listing, now) ?? 0);
  return { label: `${REPAYMENT_WORDS[repayment]} · ${days} overdue`, tone: OVERDUE_TONES[repayment] };
}

function endOf({ repayment }: Listing): State {
  return repayment === "written_off"
    ? { label: "Ended with a loss", tone: "bad" }
    : { label: "Repaid", tone: "good" };
}

/** The same behind the first warning, for a reader who sees only a picture or a card. */
export function markedState(listing: Listing, business: Pick<Originator, "kybStatus">, now: Now): State {
  const state = stateOf(listing, now);
  const [warning] = warningsOf(listing, business);
  return warning === undefined ? state : { label: `${warning.mark} · ${state.label}`, tone: "bad" };
}

/** Such as "14.50% · 180 days · closes in 3 days". */
export function termsLine(listing: Listing, now: Now): string {
  return [
    capitalised(rateWords(listing, { isShort: true })),
    counted(listing.tenorDays, "days"),
    timingOf(listing, now),
  ].join(" · ");
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
  const isOfInterest = owesInterestAlone(listing);
  if (outstandingPrincipal === "0" && !isOfInterest) return "to be settled";
  const what = isOfInterest ? "interest " : "";
  const left = timeUntil(maturityAt, now);
  if (left !== null) return `${what}due in ${left}`;
  return `${what}${isPastDue(listing) ? "was due" : "due"} ${formatDate(maturityAt)}`;
}

/**
 * Progress, in one quantity: of a loan the repaid part of the principal lent, of a failed raise the returned part of what was
 * committed, otherwise the committed part of the target.
 */
export type Done = {
  part: string;
  whole: string;
  of: "target" | "principal" | "commitments";
  word: string;
  shareBps: number | null;
  shareOf: string;
};

export function doneOf(listing: Listing): Done {
  const { status, repayment, raisedAmount, targetAmount, refundableAmount } = listing;
  if ((status === "live" || status === "matured") && repayment !== "not_drawn") {
    const { drawnAmount, outstandingPrincipal, writtenOffAmount } = listing;
    const repaid = less(drawnAmount, BigInt(outstandingPrincipal) + BigInt(writtenOffAmount));
    const shareOf = owesInterestAlone(listing) ? "of principal repaid" : "repaid";
    return doneIn({ part: repaid, whole: drawnAmount, of: "principal" }, "principal repaid", shareOf);
  }
  if (hasFailed(listing) && raisedAmount !== "0") {
    const returned = less(raisedAmount, BigInt(refundableAmount));
    return doneIn({ part: returned, whole: raisedAmount, of: "commitments" }, "returned", "returned");
  }
  const shareBps = raisedShareBps(listing);
  const committed = { part: raisedAmount, whole: targetAmount, of: "target" } as const;
  return { ...committed, word: "committed", shareBps, shareOf: "funded" };
}

function doneIn(quantity: Pick<Done, "part" | "whole" | "of">, word: string, shareOf: string): Done {
  return { ...quantity, word, shareOf, shareBps: shareBps(BigInt(quantity.part), BigInt(quantity.whole)) };
}

/** The rest of a whole, never below 0. */
function less(whole: string, missing: bigint): string {
  const left = BigInt(whole) - missing;
  return `${left > 0n ? left : 0n}`;
}

/** The tone of what is missing of a loan: overdue, or lost. */
export function missingTone({ repayment }: Pick<Listing, "repayment">): Tone | undefined {
  if (repayment === "written_off") return "bad";
  return repayment === "grace" || repayment === "late" || repayment === "default"
    ? OVERDUE_TONES[repayment]
    : undefined;
}

export function doneValue({ part: some, whole, word }: Done): Value {
  return part(some, whole, word);
}

export function doneShare({ shareBps, shareOf }: Done): Value {
  return share(shareBps, shareOf);
}

const BAR_LABELS: Record<Done["of"], string> = {
  target: "Funding",
  principal: "Repayment",
  commitments: "Refunds",
};

/** The same as a bar: what came back is green, what is missing has its state's colour. The minimum is marked while there is one to reach. */
export function doneBar(done: Done, listing: Pick<Listing, "minRaise" | "repayment">): ProgressBar {
  const { part: value, whole: max, of } = done;
  const { minRaise } = listing;
  return {
    label: BAR_LABELS[of],
    value,
    max,
    marks:
      of === "target" && minRaise !== "0"
        ? [{ label: `Minimum ${formatAmount(minRaise, { unit: null })}`, at: minRaise }]
        : [],
    text: textOf(doneValue(done)),
    isQuiet: true,
    tone: of === "target" ? undefined : "good",
    missing: of === "principal" ? missingTone(listing) : undefined,
  };
}
