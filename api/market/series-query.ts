/** @module The queries of series and of cohorts, as every face has them. */
import { parseTime, TIME_FORM } from "../../config/format/time.ts";
import { FILTERS } from "./listings-filters.ts";
import { SERIES_PERIODS } from "./periods.ts";
import { textField, wordField } from "./query-field.ts";
import { COHORTS_BY } from "./series-schema.ts";

/** The filters of raises that are the same for all raises of a business. */
export const SCOPE = {
  originator: FILTERS.originator,
  grade: FILTERS.grade,
  jurisdiction: FILTERS.jurisdiction,
};

type Given = Readonly<{ [Name in keyof typeof SCOPE]?: unknown }>;

const isGiven = (value: unknown) => value !== undefined && value !== null;

/** Whether only some raises are asked for. */
export function isScoped(query: Given): boolean {
  return isGiven(query.originator) || isGiven(query.grade) || isGiven(query.jurisdiction);
}

/** Whether its raises are read for it: sums are kept of the whole market, and for series of its grades and of its countries. */
export function readsRaises(of: "series" | "cohorts", query: Given): boolean {
  if (of === "cohorts") return isScoped(query);
  return isGiven(query.originator) || (isGiven(query.grade) && isGiven(query.jurisdiction));
}

/** The fields of a query of the series, and those of one of the cohorts. */
export const SERIES_FIELDS = {
  by: wordField(SERIES_PERIODS, {
    description: "Length of the periods, in UTC; weeks begin on Mondays. `month` by default",
    example: "month",
  }),
  from: textField(parseTime, TIME_FORM, {
    description:
      "The first period is the one with this time; by default the one with the first change, but at most 1,000 periods before the last",
    example: "2026-01-01",
  }),
  to: textField(parseTime, TIME_FORM, {
    description:
      "The last period is the one with this time; by default, and at most, that of the last indexed block",
    example: "2026-12-31",
  }),
  ...SCOPE,
};

export const COHORTS_FIELDS = {
  by: wordField(COHORTS_BY, {
    description:
      "What the loans of a cohort have in common: the month, quarter or year of the drawdown, the grade of the business on that day, the business, or its country. `quarter` by default",
    example: "quarter",
  }),
  ...SCOPE,
};
