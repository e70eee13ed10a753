/** @module The grades of a business over time, each with what changed it. */
import { isoTime } from "../../../config/format/time.ts";
import { isRemainder } from "../../market/grade.ts";
import type { GradeCause, GradeStep } from "../../market/grade-history.ts";
import type { Market } from "../../market/market.ts";
import type { Originator } from "../../market/originator.ts";
import { paragraph, section, tableOf } from "../blocks.ts";
import { gradesOverTime } from "../charts/grades-over-time.tsx";
import { gradeReason } from "../grade.ts";
import type { Section } from "../page.ts";
import { raiseTitle } from "../paths.ts";
import { formatDate } from "../times.ts";
import { grade, text, word } from "../value.ts";
import type { BusinessLoan } from "./loans.ts";

/** Changes shown, the last ones. */
const SHOWN_CHANGES = 30;

/** Null before the first drawdown, and while there was no grade ever: the reason for that is in the standing. */
export function gradesSection(
  business: Originator,
  loans: readonly BusinessLoan[],
  market: Market,
): Section | null {
  const steps = market.gradesOf(business);
  if (steps.every((step) => step.grade === "NR")) return null;
  const shown = steps.slice(-SHOWN_CHANGES);
  const table = tableOf({
    caption:
      shown.length < steps.length ? `The last ${SHOWN_CHANGES} changes` : "Changes, the last one first",
    items: shown.toReversed(),
    keyOf: ({ at }) => `grade-${at}`,
    columns: [
      ["at", "Since", ({ at }: GradeStep) => word(formatDate(isoTime(at)), isoTime(at))],
      ["grade", "Grade", (step) => grade(step.grade)],
      ["why", "Why", (step) => text(whyOf(step, business, { loans, market }))],
    ],
    empty: "",
  });
  return section("grades", "Grade over time", [
    paragraph(
      "Computed for each day with the formula of today, and as if the business had been verified all the time: only its raises change the grade here.",
    ),
    {
      kind: "chart",
      chart: {
        ...gradesOverTime({ id: "grades-over-time", steps: shown, now: market.head.timestamp }),
        table,
        isTableOpen: true,
      },
    },
  ]);
}

const CAUSES: Record<GradeCause["kind"], string> = {
  drawn: "Drawn",
  repaid: "Repaid",
  lost: "Settled with a loss",
  late: "More than 30 days overdue",
  default: "More than 90 days overdue",
  paid: "A payment in default",
  forgotten: "A year since the loss",
};

/** The change, and the reason for the grade unless it is the change itself: a limit comes from a change. */
function whyOf(
  { at, grade: then, rating, causes }: GradeStep,
  business: Originator,
  { loans, market }: { loans: readonly BusinessLoan[]; market: Market },
): string {
  const hasRemainders = loans.some(
    ({ loan: { lost, principal, endedAt } }) =>
      isRemainder(lost, principal) && endedAt !== null && endedAt <= at,
  );
  const reason = gradeReason({ ...business, ratingGrade: then, rating }, hasRemainders);
  return rating.cap === then ? `${toldBy(causes, market)}.` : `${toldBy(causes, market)}. ${reason}`;
}

/** Such as "Repaid: “A second oven”". Raises that are not published count as well. */
function toldBy(causes: readonly GradeCause[], market: Market): string {
  const titleOf = ({ pair }: GradeCause) => {
    const listing = market.listingByPair.get(pair);
    return listing === undefined ? "a raise that is not published" : `“${raiseTitle(listing)}”`;
  };
  return [...Map.groupBy(causes, ({ kind }) => kind)]
    .map(([kind, own]) => `${CAUSES[kind]}: ${own.map(titleOf).join(", ")}`)
    .join(". ");
}
