/** @module The grade of a business and the figures behind it, each explained in a sentence. */
import { formatAmount, formatRate, ONE } from "../market/amount.ts";
import type { Originator } from "../market/originator.ts";
import { LATE_RAISES, type Rating } from "../market/schema.ts";
import { daysLateWords } from "../market/sentences.ts";
import { recordOf } from "../market/stats.ts";
import { fact, facts, links, linkTo, paragraph, section } from "./blocks.ts";
import type { Block, Fact, Section } from "./page.ts";
import { SITE_PATHS } from "./paths.ts";
import { amount, count, grade, kyb, rate, text } from "./value.ts";

export type Graded = Pick<Originator, "kybStatus" | "ratingGrade" | "rating">;

/** The grade with its reason: on the page of a raise, and on that of the business. */
export function gradeFigure(business: Originator): Block {
  const reason = gradeReason(business, leftRemainders(business));
  return facts("figure", [fact("ratingGrade", "Grade", grade(business.ratingGrade), reason)]);
}

/** Whether a rest that a raise still owes, or has lost, is too small for the grade. */
export function leftRemainders(business: Originator): boolean {
  return recordOf(business).remainders > 0;
}

/** The section on the page of the business. @param countsUnpublished whether raises count that the page does not show */
export function ratingSection(graded: Graded, countsUnpublished: boolean): Section {
  return section("grade", "How the grade was computed", [
    facts("list", ratingFacts(graded)),
    countsUnpublished ? paragraph("Raises of this business that are not published here count too.") : null,
    links([HOW_GRADED]),
  ]);
}

/** The smallest raise that counts, as `market/grade.ts` has it. */
const LEAST = formatAmount(`${1_000n * ONE}`);

export const HOW_GRADED = linkTo(
  "How grades are computed",
  `${SITE_PATHS.knowledge}/grades`,
  "the formula, with a worked example",
);

export function kybFact({ kybStatus }: Pick<Originator, "kybStatus">): Fact {
  return fact("kybStatus", "Identity check", kyb(kybStatus));
}

/** A share of an amount above 0: rates are rounded down. */
export function shareAboveZero(bps: number | null): string {
  return bps ? formatRate(bps) : "less than 0.01%";
}

/**
 * The reason for the grade, in a sentence with the figures that count most.
 * @param hasRemainders whether a raise left a rest unpaid that is too small for the grade
 */
export function gradeReason({ ratingGrade, kybStatus, rating }: Graded, hasRemainders: boolean): string {
  const { volume, lossBps, lateBps, cap, byDaysLate } = rating;
  if (ratingGrade === "NR") {
    return kybStatus === "approved"
      ? `Not rated: fewer than 2 raises of at least ${LEAST} are finished, which is too short a record for a grade.`
      : "Not rated: a business has a grade only while its verification is approved.";
  }
  if (cap === ratingGrade) return CAP_NOTES[cap];
  const lent = formatAmount(volume);
  const { upTo7, upTo30, upTo90, over90, writtenOff } = byDaysLate;
  const isLate = upTo90 + over90 > 0;
  const isLost = writtenOff > 0;
  if (!lossBps && !lateBps && !isLost && !isLate) {
    if (upTo7 + upTo30 > 0)
      return `Of the ${lent} lent in its finished raises, ${hasRemainders ? "only small remainders were" : "nothing was"} lost, and no raise ended more than 30 days late.`;
    return hasRemainders
      ? `It repaid the ${lent} of its finished raises on time, but for small remainders, which the grade does not count.`
      : `It repaid all ${lent} of its finished raises, on time.`;
  }
  const share = (bps: number | null, isAny: boolean) => (bps || isAny ? shareAboveZero(bps) : "nothing");
  const lost = share(lossBps, isLost || hasRemainders);
  const late = share(lateBps, isLate || (isLost && !lossBps));
  const overlap = lost === "nothing" || late === "nothing" ? "" : " The two shares may overlap.";
  return `Of the ${lent} lent in its finished raises, ${lost} was lost or is in default, and ${late} was in ${LATE_RAISES}.${overlap}`;
}

function ratingFacts({ rating, ratingGrade }: Graded): Fact[] {
  const { method, n, volume, lossBps, lateBps, adjustedBps, cap, byDaysLate } = rating;
  const isNotRated = ratingGrade === "NR";
  const unlessUnrated = (note: string) => (isNotRated ? "None: only computed for a grade." : note);
  return [
    fact(
      "rating.n",
      "Finished raises",
      count(n),
      `Raises of at least ${LEAST} that were settled or paid off, or are more than 30 days overdue.`,
    ),
    fact(
      "rating.volume",
      "Amount lent",
      amount(volume),
      "The principal of all finished raises, including smaller ones.",
    ),
    fact(
      "rating.lossBps",
      "Lost or in default",
      rate(lossBps),
      unlessUnrated("The share of that amount that was written off or is more than 90 days overdue."),
    ),
    fact(
      "rating.lateBps",
      "Late",
      rate(lateBps),
      unlessUnrated(`The share of that amount in ${LATE_RAISES}. It may overlap with what was lost.`),
    ),
    fact(
      "rating.adjustedBps",
      "Risk score",
      rate(adjustedBps),
      unlessUnrated(
        "Losses plus a quarter of late money. It sets the grade; with few raises it is moved towards 6%.",
      ),
    ),
    fact("rating.cap", "Best possible grade", grade(cap), capNote(cap, isNotRated)),
    fact(
      "rating.byDaysLate",
      "Days late",
      text(daysLateWords(byDaysLate)),
      "How long after the due date the principal of each raise was repaid, or has been owed until now.",
    ),
    fact("rating.method", "Method", text(method), "Version of the formula."),
  ];
}

/** The cause of each cap. market.md, "Grade", 8; the knowledge base says the same. */
const CAP_NOTES: Record<NonNullable<Rating["cap"]>, string> = {
  C: "A raise was settled with a loss in the last 365 days.",
  D: "A raise is more than 30 days overdue.",
  E: "A raise is more than 90 days overdue.",
};

function capNote(cap: Rating["cap"], isNotRated: boolean): string {
  if (cap !== null) return CAP_NOTES[cap];
  return isNotRated ? "None: there is no grade to limit." : "None: no recent failure limits the grade.";
}
