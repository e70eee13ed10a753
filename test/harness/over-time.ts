/** @module The answers of a market's history, for tests that expect one. */
import type { Cohort, OverTime, SeriesPoint } from "../../api/market/series-schema.ts";

/** @throws where there are none */
export function pointsIn(
  overTime: OverTime | null | undefined,
  query: Parameters<OverTime["series"]>[0] = {},
): readonly SeriesPoint[] {
  const series = overTime?.series(query);
  if (series === undefined || !("points" in series)) throw new Error(`no series: ${JSON.stringify(series)}`);
  return series.points;
}

/** @throws where there are none */
export function cohortsIn(
  overTime: OverTime | null | undefined,
  query: Parameters<OverTime["cohorts"]>[0] = {},
): readonly Cohort[] {
  const found = overTime?.cohorts(query);
  if (found === undefined || !("cohorts" in found)) throw new Error(`no cohorts: ${JSON.stringify(found)}`);
  return found.cohorts;
}
