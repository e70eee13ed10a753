/** @module The market over time: series of periods, and cohorts of loans, as JSON and CSV. */
import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Body } from "../http/etagged-body.ts";
import { ProblemError } from "../http/problem.ts";
import { asDownload, type Headers } from "../http/respond.ts";
import type { Market } from "../market/market.ts";
import { COHORTS_FIELDS, SERIES_FIELDS } from "../market/series-query.ts";
import {
  COHORT_COLUMNS,
  type Cohorts,
  CURVE_COLUMNS,
  cohortSchema,
  cohortsSchema,
  curvePointSchema,
  type NoHistory,
  type OverTime,
  SERIES_COLUMNS,
  seriesPointSchema,
  seriesSchema,
} from "../market/series-schema.ts";
import { csvFile, marketAnswers } from "./answers.ts";
import { EXCEL, fileOf } from "./csv.ts";
import { parameters } from "./parameters.ts";
import type { RestApi, RestEnv } from "./route.ts";
import { askLater, momentParameters, type ViewAt } from "./view.ts";

const SERIES_PARAMETERS = z.object({ ...parameters(SERIES_FIELDS), ...momentParameters });
const COHORTS_PARAMETERS = z.object({ ...parameters(COHORTS_FIELDS), ...momentParameters });
const SERIES_FILE_PARAMETERS = SERIES_PARAMETERS.extend(EXCEL);
const COHORTS_FILE_PARAMETERS = COHORTS_PARAMETERS.extend(EXCEL);
type File = Partial<z.output<z.ZodObject<typeof EXCEL>>>;

const seriesAnswers = marketAnswers("The series.", seriesSchema);
const cohortsAnswers = marketAnswers("The cohorts.", cohortsSchema);

export const getSeries = createRoute({
  method: "get",
  path: "/stats/series",
  operationId: "getSeries",
  summary: "The market by day, week, month or quarter",
  description:
    "What happened in each period, and what stood at its end, over the raises that are visible now: of all, of one business, of grades or of countries. The last point's totals are those of `/stats` at the same block. `Accept: text/csv` gets what `/stats/series.csv` answers.",
  tags: ["Market"],
  request: { query: SERIES_PARAMETERS },
  responses: seriesAnswers,
});

export const getSeriesCsv = createRoute({
  ...getSeries,
  path: "/stats/series.csv",
  operationId: "getSeriesCsv",
  summary: "The series as CSV",
  description: "A row for each point of `/stats/series`, with a column for each field.",
  request: { query: SERIES_FILE_PARAMETERS },
  responses: csvFile("The points.", seriesAnswers),
});

export const getCohorts = createRoute({
  method: "get",
  path: "/stats/cohorts",
  operationId: "getCohorts",
  summary: "Loans by drawdown, grade, business or country",
  description:
    "What became of the loans of each cohort, what was expected and what backers really earned, and the same by months since the drawdown. `Accept: text/csv` gets what `/stats/cohorts.csv` answers.",
  tags: ["Market"],
  request: { query: COHORTS_PARAMETERS },
  responses: cohortsAnswers,
});

export const getCohortsCsv = createRoute({
  ...getCohorts,
  path: "/stats/cohorts.csv",
  operationId: "getCohortsCsv",
  summary: "The cohorts as CSV",
  description: "A row for each cohort of `/stats/cohorts`, with a column for each field but `curve`.",
  request: { query: COHORTS_FILE_PARAMETERS },
  responses: csvFile("The cohorts.", cohortsAnswers),
});

export const getCurvesCsv = createRoute({
  ...getCohorts,
  path: "/stats/curves.csv",
  operationId: "getCurvesCsv",
  summary: "The curves of the cohorts as CSV",
  description: "A row for each month of each `curve` of `/stats/cohorts`, after the name of its cohort.",
  request: { query: COHORTS_FILE_PARAMETERS },
  responses: csvFile("The months of the cohorts.", cohortsAnswers),
});

export function addOverTime(api: RestApi, viewAt: ViewAt): void {
  const answerSeries = async (
    c: Context<RestEnv>,
    { asOf, confirmations, excel, ...query }: z.output<typeof SERIES_PARAMETERS> & File,
    headers: Headers = {},
  ) => {
    const { market, encode, answer } = await viewAt(c, { asOf, confirmations });
    const series = overTimeOf(market).series(query);
    if (!("points" in series)) throw noHistory(series);
    const body =
      c.var.type === "text/csv" ? seriesFile(series.points, excel !== undefined) : encode.json(series);
    return answer(body, (now) => [now], headers);
  };
  const answerCohorts = async (
    c: Context<RestEnv>,
    { asOf, confirmations, excel, ...query }: z.output<typeof COHORTS_PARAMETERS> & File,
    csv: (cohorts: Cohorts, isExcel: boolean) => Body,
    headers: Headers = {},
  ) => {
    const { market, encode, answer } = await viewAt(c, { asOf, confirmations });
    const cohorts = overTimeOf(market).cohorts(query);
    if (!("cohorts" in cohorts)) throw noHistory(cohorts);
    const body = c.var.type === "text/csv" ? csv(cohorts, excel !== undefined) : encode.json(cohorts);
    return answer(body, (now) => [now], headers);
  };

  api.openapi(getSeries, (c) => answerSeries(c, c.req.valid("query")));
  api.openapi(getSeriesCsv, (c) => answerSeries(c, c.req.valid("query"), asDownload("series.csv")));
  api.openapi(getCohorts, (c) => answerCohorts(c, c.req.valid("query"), cohortsCsv));
  api.openapi(getCohortsCsv, (c) =>
    answerCohorts(c, c.req.valid("query"), cohortsCsv, asDownload("cohorts.csv")),
  );
  api.openapi(getCurvesCsv, (c) =>
    answerCohorts(c, c.req.valid("query"), curvesCsv, asDownload("curves.csv")),
  );
}

/** @throws ProblemError in the backfill */
function overTimeOf({ overTime }: Market): OverTime {
  if (overTime !== null) return overTime;
  const detail =
    "The history is answered from the whole ledger, which is still being indexed; try again later.";
  throw askLater({ reason: "backfilling", detail });
}

function noHistory(reason: NoHistory): ProblemError {
  if ("reason" in reason)
    return askLater({ reason: "backfilling", detail: "The loans are still being counted; try again later." });
  const detail = `"${reason.parameter}": ${reason.detail}`;
  return new ProblemError({ code: "invalid_parameter", detail, errors: [reason] });
}

const seriesFile = fileOf(SERIES_COLUMNS, seriesPointSchema);
const cohortsFile = fileOf(COHORT_COLUMNS, cohortSchema);
const curvesFile = fileOf(CURVE_COLUMNS, curvePointSchema);

function cohortsCsv({ cohorts }: Cohorts, isExcel: boolean) {
  const rows = cohorts.map(({ curve, ...row }) => row);
  return cohortsFile(rows, isExcel);
}

function curvesCsv({ cohorts }: Cohorts, isExcel: boolean) {
  const rows = cohorts.flatMap(({ cohort, curve }) => curve.map((point) => ({ cohort, ...point })));
  return curvesFile(rows, isExcel);
}
