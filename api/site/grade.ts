/**
 * The grade of a business and the figures behind it, each explained in a sentence: the same on the page of the business
 * and on those of its raises. Interface document, "Resources and their fields", Originator.
 * @module
 */
import type { Originator, Rating } from "../market/schema.ts";
import { fact, facts, links, linkTo, paragraph, section } from "./blocks.ts";
import type { Fact, Section } from "./page.ts";
import { SITE_PATHS } from "./paths.ts";
import { amount, count, grade, kyb, rate, text } from "./value.ts";

export type Graded = Pick<Originator, "kybStatus" | "ratingGrade" | "rating">;

/** @param about facts before the figures: whose they are, where the page does not say so */
export function gradeSection(graded: Graded, title: string, about: readonly Fact[] = []): Section {
  const { ratingGrade, rating } = graded;
  return section("grade", title, [
    paragraph(whyGraded(graded)),
    facts("list", [
      ...about,
      fact("ratingGrade", "Grade", grade(ratingGrade)),
      ...ratingFacts(rating, ratingGrade === "NR"),
    ]),
    links([linkTo("How grades are computed", `${SITE_PATHS.knowledge}/grades`, "with a worked example")]),
  ]);
}

/** Whether the operator has verified the business. */
export function kybFact({ kybStatus }: Pick<Originator, "kybStatus">): Fact {
  return fact("kybStatus", "Verification of the business", kyb(kybStatus));
}

function whyGraded({ ratingGrade, kybStatus }: Graded): string {
  if (ratingGrade !== "NR") {
    return `Grade ${ratingGrade}, on a scale from A (best) to E. A fixed formula computes it from the business's repayment record here.`;
  }
  return kybStatus === "approved"
    ? "Not rated: fewer than 2 raises of at least 1,000 dollars have been resolved, which is too short a record for a grade."
    : "Not rated: a business has a grade only while its verification is approved.";
}

function ratingFacts(
  { method, n, volume, lossBps, lateBps, adjustedBps, cap }: Rating,
  isNotRated: boolean,
): Fact[] {
  const unlessUnrated = (note: string) => (isNotRated ? "None: only computed for a grade." : note);
  return [
    fact(
      "rating.n",
      "Resolved raises",
      count(n),
      "Raises of at least 1,000 dollars that were settled or paid off, or are more than 30 days overdue.",
    ),
    fact(
      "rating.volume",
      "Their principal",
      amount(volume),
      "The total drawn in all resolved raises, including smaller ones.",
    ),
    fact(
      "rating.lossBps",
      "Loss",
      rate(lossBps),
      unlessUnrated("Of that principal, what was written off or is more than 90 days overdue."),
    ),
    fact(
      "rating.lateBps",
      "Late",
      rate(lateBps),
      unlessUnrated(
        "Of that principal, the part of raises that were not paid off within 30 days after maturity, or only with the help of the reserve.",
      ),
    ),
    fact(
      "rating.adjustedBps",
      "Adjusted risk",
      rate(adjustedBps),
      unlessUnrated(
        "Loss plus a quarter of late; a short record is pulled up towards 6%. It determines the grade.",
      ),
    ),
    fact("rating.cap", "Best possible grade", grade(cap), capNote(cap, isNotRated)),
    fact("rating.method", "Method", text(method), "Version of the formula."),
  ];
}

/** What caused each cap. market.md, "Grade", 8; the knowledge base says the same. */
const CAP_NOTES: Record<NonNullable<Rating["cap"]>, string> = {
  C: "A raise was settled with a loss in the last 365 days.",
  D: "A raise is more than 30 days overdue.",
  E: "A raise is more than 90 days overdue.",
};

function capNote(cap: Rating["cap"], isNotRated: boolean): string {
  if (cap !== null) return CAP_NOTES[cap];
  return isNotRated ? "None: there is no grade to limit." : "None: no recent failure limits the grade.";
}
