/** @module The market over time as zod schemas: points of a series, and cohorts of loans. */
import { z } from "@hono/zod-openapi";
import { amount, basisPoints, count, flag, listOf, oneOf, price, text, time } from "./fields.ts";
import { SERIES_PERIODS, type SeriesPeriod } from "./periods.ts";
import type { Grade } from "./schema.ts";

export const seriesPointSchema = z
  .object({
    period: text("The period: `2026-03-01`, `2026-W09` (ISO 8601), `2026-03` or `2026-Q1`.", "2026-03"),
    start: time("Its first second"),
    end: time("The start of the next one, or the last indexed block's time in a period that is not over"),
    isOver: flag("Whether the period is over; if not, its figures still change."),
    opened: count("Raises that opened for subscriptions"),
    closed: count("Raises whose subscription ended, for whatever reason"),
    reachedMinimum: count("Those of them that had reached their minimum"),
    medianHoursToFund: count(
      "Median time from the opening to the close of those that had reached their minimum, in hours, rounded down; null for none",
      288,
    ).nullable(),
    committed: amount("Committed by backers, higher amounts told by the contract included"),
    withdrawn: amount("Taken back before the close, or outbid in an auction"),
    lent: amount("Principal lent: drawn by the originators"),
    averageCouponBps: basisPoints(
      "Average coupon of that principal, weighted by it, rounded down; null for none",
    ).nullable(),
    repaidPrincipal: amount("Principal repaid"),
    repaidInterest: amount("Interest repaid"),
    writtenOff: amount("Principal written off"),
    reservesPosted: amount("Added to reserves"),
    reservesUsed: amount("Taken from reserves to pay backers"),
    reservesReleased: amount("Given back to the originators from reserves"),
    offers: count("Offers made on the secondary desk"),
    trades: count("Trades on the secondary desk, without those with oneself"),
    traded: amount("Tokens traded, at par"),
    averagePriceBps: price(
      "Average price of the trades, weighted by amount, rounded down; null for none",
    ).nullable(),
    raisedTotal: amount("At the end: committed so far, as `raised` of the statistics"),
    lentTotal: amount("At the end: lent so far"),
    repaidTotal: amount("At the end: principal and interest repaid so far"),
    writtenOffTotal: amount("At the end: written off so far"),
    reserves: amount("At the end: reserves held"),
    outstanding: amount("At the end: principal lent and not yet repaid"),
    outstandingCurrent: amount("At the end: the part that is not due yet"),
    outstandingGrace: amount("At the end: the part up to 7 days overdue"),
    outstandingLate: amount("At the end: the part more than 7 and up to 90 days overdue"),
    outstandingInDefault: amount("At the end: the part more than 90 days overdue"),
  })
  .openapi("SeriesPoint", {
    description:
      "What happened in one period, and what stood at its end. Of the raises that are visible now.",
  });

export const SERIES_COLUMNS = Object.keys(seriesPointSchema.shape);

export const seriesSchema = z
  .object({
    by: oneOf(SERIES_PERIODS, "Length of the periods.", "month"),
    points: listOf(seriesPointSchema, "The periods without a gap, oldest first; at most 1,000."),
  })
  .openapi("Series", { description: "The market over time." });

export const COHORTS_BY = ["month", "quarter", "year", "grade", "originator", "country"] as const;
export type CohortsBy = (typeof COHORTS_BY)[number];

const cohortFigures = {
  loans: count("Loans"),
  lent: amount("Principal lent"),
  due: amount("Principal and interest due by now, by the terms"),
  repaidPrincipal: amount("Principal repaid"),
  repaidInterest: amount("Interest repaid"),
  writtenOff: amount("Principal written off"),
  outstanding: amount("Principal lent and not yet repaid"),
  outstandingCurrent: amount("The part of it that is not due yet"),
  outstandingGrace: amount("The part up to 7 days overdue"),
  outstandingLate: amount("The part more than 7 and up to 90 days overdue"),
  outstandingInDefault: amount("The part more than 90 days overdue"),
  defaultedBps: basisPoints(
    "Share of the principal lent that is written off or in default, rounded down; null if nothing was lent",
    250,
  ).nullable(),
};

export const curvePointSchema = z
  .object({
    month: count("Calendar months since the month of the drawdown, which is 0", 6),
    ...cohortFigures,
    loans: count("Loans that are at least this old: the figures of this point are theirs"),
    due: amount("Principal and interest due by the end of the month, by the terms"),
  })
  .openapi("CohortMonth", {
    description: "What had become of the loans of a cohort by the end of a month of their lives, or by now.",
  });

export const CURVE_COLUMNS = ["cohort", ...Object.keys(curvePointSchema.shape)];

export const cohortSchema = z
  .object({
    cohort: text(
      "What the loans have in common: the month, quarter or year of the drawdown, the grade on that day, the public id of the business, or its country.",
      "2025-Q3",
    ),
    ...cohortFigures,
    ended: count("Loans that were paid off or settled"),
    expectedReturnBps: basisPoints(
      "Yearly return of the ended loans if each had paid everything on its due date; null for none",
    ).nullable(),
    realisedReturnBps: basisPoints(
      "Yearly return that backers really earned on the ended loans; −10000 if nothing was paid, null for none",
      1390,
    ).nullable(),
    curve: listOf(curvePointSchema, "By months since the drawdown, up to the last change."),
  })
  .openapi("Cohort", { description: "Loans that have something in common, and what became of them." });

export const COHORT_COLUMNS = Object.keys(cohortSchema.shape).filter((name) => name !== "curve");

export const cohortsSchema = z
  .object({
    by: oneOf(COHORTS_BY, "What the loans of a cohort have in common.", "quarter"),
    cohorts: listOf(
      cohortSchema,
      "By time, grade or country; businesses by the amount lent, the largest first, at most 200.",
    ),
  })
  .openapi("Cohorts", { description: "The loans of the visible raises by cohort." });

export type SeriesPoint = z.infer<typeof seriesPointSchema>;
export type Series = Omit<z.infer<typeof seriesSchema>, "points"> & { points: readonly SeriesPoint[] };
export type CurvePoint = z.infer<typeof curvePointSchema>;
export type Cohort = Omit<z.infer<typeof cohortSchema>, "curve"> & { curve: readonly CurvePoint[] };
export type Cohorts = Omit<z.infer<typeof cohortsSchema>, "cohorts"> & { cohorts: readonly Cohort[] };

/** Only the raises of one business, of businesses with these grades now, or of these countries. */
export type Scope = {
  originator?: string | undefined;
  grade?: readonly Grade[] | undefined;
  jurisdiction?: readonly string[] | undefined;
};

export type SeriesSpan = {
  /** a month by default */
  by?: SeriesPeriod | undefined;
  /** unix seconds: from the period with this moment on; by default the first with a change, but at most 1,000 before the last */
  from?: bigint | undefined;
  /** unix seconds: up to the period with this moment; by default and at most the one of the last indexed block */
  to?: bigint | undefined;
};

export type SeriesQuery = SeriesSpan &
  Scope & {
    /** only the raises of these businesses; for the tools, which find them by name */
    originators?: ReadonlySet<string> | undefined;
  };

/** By quarters unless told otherwise. */
type CohortsQuery = Scope & { by?: CohortsBy | undefined };

/** A span that has no answer: the parameter, the reason, and what is allowed. */
export type SpanRefusal = { parameter: string; detail: string; allowed: string[] };

/** A market over time. */
export type OverTime = {
  series(query: SeriesQuery): Series | NoHistory;
  cohorts(query: CohortsQuery): Cohorts | NoHistory;
  /** Counts up to so many loans into the sums that cohorts are made of. @returns whether there are more */
  countOn(most: number): boolean;
};

/** Why there is no answer. `counting`: the loans of a large market have not all been counted yet. */
export type NoHistory = SpanRefusal | { reason: "counting" };
