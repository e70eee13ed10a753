/**
 * The grade of a business with the figures that it was computed from, each with a sentence: in the same words on the
 * page of the business and on those of its raises. Interface document, "Resources and their fields", Originator.
 * @module
 */
import type { Originator, Rating } from "../market/schema.ts";
import type { Fact, Section } from "./page.ts";
import { SITE_PATHS } from "./paths.ts";
import { amount, count, kyb, NONE, rate, text } from "./value.ts";

export type Graded = Pick<Originator, "kybStatus" | "ratingGrade" | "rating">;

/** @param about what stands before the figures: whose they are, where the page does not say that already */
export function gradeSection(graded: Graded, title: string, about: readonly Fact[] = []): Section {
  const { ratingGrade, rating } = graded;
  return {
    id: "grade",
    title,
    blocks: [
      { kind: "paragraph", text: whyGraded(graded) },
      {
        kind: "facts",
        look: "list",
        facts: [
          ...about,
          { key: "ratingGrade", label: "Grade", value: { kind: "grade", grade: ratingGrade } },
          ...ratingFacts(rating, ratingGrade === "NR"),
        ],
      },
      {
        kind: "links",
        links: [
          {
            text: "How grades are computed",
            href: `${SITE_PATHS.knowledge}/grades`,
            note: "with a worked example",
          },
        ],
      },
    ],
  };
}

/** Whether the operator knows who the business is. */
export function kybFact({ kybStatus }: Pick<Originator, "kybStatus">): Fact {
  return { key: "kybStatus", label: "Verification of the business", value: kyb(kybStatus) };
}

function whyGraded({ ratingGrade, kybStatus }: Graded): string {
  if (ratingGrade !== "NR") {
    return `Grade ${ratingGrade}, on a scale from A (best) to E. A fixed formula computes it from how the business has repaid its raises here.`;
  }
  return kybStatus === "approved"
    ? "Not rated: fewer than 2 raises of at least 1,000 dollars are resolved, which is too short a record for a grade."
    : "Not rated: a business has a grade only while its verification is approved.";
}

function ratingFacts(
  { method, n, volume, lossBps, lateBps, adjustedBps, cap }: Rating,
  isNotRated: boolean,
): Fact[] {
  const unlessUnrated = (note: string) => (isNotRated ? "None: it is computed for a grade only." : note);
  return [
    {
      key: "rating.n",
      label: "Resolved raises",
      value: count(n),
      note: "Raises of at least 1,000 dollars that were settled or paid off, or are more than 30 days overdue.",
    },
    {
      key: "rating.volume",
      label: "Their principal",
      value: amount(volume),
      note: "What was drawn in all resolved raises together, smaller ones too.",
    },
    {
      key: "rating.lossBps",
      label: "Loss",
      value: rate(lossBps),
      note: unlessUnrated("Of that principal, what was written off or is more than 90 days overdue."),
    },
    {
      key: "rating.lateBps",
      label: "Late",
      value: rate(lateBps),
      note: unlessUnrated(
        "Of that principal, the part of raises that were not paid off within 30 days after maturity, or only with help of the reserve.",
      ),
    },
    {
      key: "rating.adjustedBps",
      label: "Adjusted risk",
      value: rate(adjustedBps),
      note: unlessUnrated(
        "Loss and a quarter of late; a short record is pulled up towards 6 %. It decides the grade.",
      ),
    },
    {
      key: "rating.cap",
      label: "Best grade possible",
      value: cap === null ? NONE : { kind: "grade", grade: cap },
      note: capNote(cap, isNotRated),
    },
    { key: "rating.method", label: "Method", value: text(method), note: "Version of the formula." },
  ];
}

/** What failed, for each cap. market.md, "Grade", 8; the page on grades tells the same. */
const CAP_NOTES: Record<NonNullable<Rating["cap"]>, string> = {
  C: "A raise was settled with a loss in the last 365 days.",
  D: "A raise is more than 30 days overdue.",
  E: "A raise is more than 90 days overdue.",
};

function capNote(cap: Rating["cap"], isNotRated: boolean): string {
  if (cap !== null) return CAP_NOTES[cap];
  return isNotRated ? "None: there is no grade to limit." : "None: no recent failure limits the grade.";
}
