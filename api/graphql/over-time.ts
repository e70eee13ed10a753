/** @module The market over time: points of a series, and cohorts of loans. */
import type { GraphQLError } from "graphql";
import type { Market } from "../market/market.ts";
import { COHORTS_FIELDS, SERIES_FIELDS } from "../market/series-query.ts";
import type { Cohort, NoHistory, OverTime, SeriesPoint } from "../market/series-schema.ts";
import { type Arguments, argumentsOf, readArguments, someWords } from "./arguments.ts";
import { backfilling, badInput } from "./errors.ts";

const SERIES = {
  ...SERIES_FIELDS,
  grade: someWords(SERIES_FIELDS.grade),
  jurisdiction: someWords(SERIES_FIELDS.jurisdiction),
};
const COHORTS = {
  ...COHORTS_FIELDS,
  grade: someWords(COHORTS_FIELDS.grade),
  jurisdiction: someWords(COHORTS_FIELDS.jurisdiction),
};
const SCOPE_TYPES = { originator: "String", grade: "[Grade!]", jurisdiction: "[String!]" };

export const SERIES_ARGUMENTS = argumentsOf(SERIES, {
  by: "SeriesPeriod = month",
  from: "DateTime",
  to: "DateTime",
  ...SCOPE_TYPES,
});
export const COHORTS_ARGUMENTS = argumentsOf(COHORTS, { by: "CohortsBy = quarter", ...SCOPE_TYPES });

export function seriesPoints(market: Market, args: Arguments): readonly SeriesPoint[] {
  const series = overTimeOf(market).series(readArguments(SERIES, args));
  if (!("points" in series)) throw noHistory(series);
  return series.points;
}

export function cohorts(market: Market, args: Arguments): readonly Cohort[] {
  const found = overTimeOf(market).cohorts(readArguments(COHORTS, args));
  if (!("cohorts" in found)) throw noHistory(found);
  return found.cohorts;
}

function noHistory(reason: NoHistory): GraphQLError {
  if ("reason" in reason) return backfilling("The loans are still being counted; try again later.");
  return badInput([reason]);
}

function overTimeOf({ overTime }: Market): OverTime {
  if (overTime === null) throw backfilling("The history can be read once the backfill is over.");
  return overTime;
}
