/** The grade of a business and the figures behind it, each explained in a sentence. @module */
import { formatAmount, formatRate } from "../market/amount.ts";
import type { Originator, Rating } from "../market/schema.ts";
import { fact, facts, links, linkTo, section } from "./blocks.ts";
import type { Fact, Section } from "./page.ts";
import { SITE_PATHS } from "./paths.ts";
import { amount, count, grade, kyb, rate, text } from "./value.ts";

export type Graded = Pick<Originator, "kybStatus" | "ratingGrade" | "rating">;

/** The section on the page of a raise. @param about facts before the figures of the grade: who the business is */
export function gradeSection(graded: Graded, title: string, about: readonly Fact[] = []): Section {
  // Each figure is explained on the page of the business.
  const figures = ratingFacts(graded).map(({ note: _, ...figure }) => figure);
  return section("grade", title, [
    facts("figure", [fact("ratingGrade", "Grade", grade(graded.ratingGrade), gradeReason(graded))]),
    facts("grid", [...about, ...figures]),
    MORE,
  ]);
}

/** The section on the page of the business, which leads with the grade and its reason. */
export function ratingSection(graded: Graded): Section {
  const figures = facts("list", ratingFacts(graded));
  return { ...section("grade", "How the grade was computed", [figures, MORE]), isFolded: true };
}

const MORE = links([
  linkTo("How grades are computed", `${SITE_PATHS.knowledge}/grades`, "the formula, with a worked example"),
]);

export function kybFact({ kybStatus }: Pick<Originator, "kybStatus">): Fact {
  return fact("kybStatus", "Identity check", kyb(kybStatus));
}

/** The reason for the grade, in a sentence with the figures that count most. */
export function gradeReason({ ratingGrade, kybStatus, rating }: Graded): string {
  const { volume, lossBps, lateBps, cap } = rating;
  if (ratingGrade === "NR") {
    return kybStatus === "approved"
      ? "Not rated: fewer than 2 raises of at least 1,000 dollars have been resolved, which is too short a record for a grade."
      : "Not rated: a business has a grade only while its verification is approved.";
  }
  if (cap === ratingGrade) return CAP_NOTES[cap];
  const of = (share: number | null, none: string) => (share ? formatRate(share) : none);
  return `Of the ${formatAmount(volume)} lent in its resolved raises, ${of(lossBps, "nothing")} was lost or is in default, and ${of(lateBps, "nothing")} came late.`;
}

function ratingFacts({ rating, ratingGrade }: Graded): Fact[] {
  const { method, n, volume, lossBps, lateBps, adjustedBps, cap } = rating;
  const isNotRated = ratingGrade === "NR";
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
      "Amount lent",
      amount(volume),
      "The principal of all resolved raises, including smaller ones.",
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
      unlessUnrated(
        "The share in raises that were not paid off within 30 days of the due date, or only with the help of the reserve.",
      ),
    ),
    fact(
      "rating.adjustedBps",
      "Risk score",
      rate(adjustedBps),
      unlessUnrated(
        "Lost plus a quarter of late, which decides the grade. A short record is pulled up towards 6%.",
      ),
    ),
    fact("rating.cap", "Best possible grade", grade(cap), capNote(cap, isNotRated)),
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
