import { beforeAll, expect, it } from "vitest";
import { appIn } from "../../test/harness/app.ts";
import { asking } from "../../test/harness/asking.ts";
import { graphqlApp, queryRunner, type RunQuery } from "../../test/harness/graphql.ts";
import { DAY, everyState, listingRow, NOW } from "../../test/harness/rows.ts";
import { snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import { dayOf } from "../market/periods.ts";
import { COHORT_COLUMNS, CURVE_COLUMNS, type OverTime, SERIES_COLUMNS } from "../market/series-schema.ts";
import type { Snapshot } from "../market/snapshot.ts";

const { escrowAddress } = listingRow();
const flow = { escrowAddress, onchainId: 3n, day: dayOf(NOW - 40n * DAY), measure: "committed" } as const;
const POINT = SERIES_COLUMNS.join(" ");
const COHORT = `${COHORT_COLUMNS.join(" ")} curve { ${CURVE_COLUMNS.slice(1).join(" ")} }`;

const { rows, registry } = everyState();
let run: RunQuery;
let rest: (path: string) => Promise<ReturnType<typeof JSON.parse>>;

async function showing(snapshot: Snapshot): Promise<RunQuery> {
  return queryRunner(await graphqlApp({ updater: { current: () => snapshot } }));
}

beforeAll(async () => {
  const tables = tablesOf({ listings: rows, flows: [{ ...flow, amount: 5n }] });
  const snapshot = await snapshotOf(tables, registry);
  run = await showing(snapshot);
  const ask = asking(await appIn({ snapshot }));
  rest = async (path) => JSON.parse((await ask(path)).text);
});

it("series and cohorts are those of REST, with every field, and by the same defaults", async () => {
  const { data, errors } = await run(`{ series { ${POINT} } }`);
  expect(errors).toBeUndefined();
  expect(data.series).toEqual((await rest("/v1/stats/series")).points);
  expect(data.series.some(({ committed }: { committed: string }) => committed === "5")).toBe(true);
  const cohorts = await run(`{ cohorts { ${COHORT} } }`);
  expect(cohorts.data.cohorts).toEqual((await rest("/v1/stats/cohorts")).cohorts);
  const weeks = await run(
    `{ series(by: week, from: "2026-01-01", to: "2026-02-01", grade: [NR, A], jurisdiction: ["SG"]) { ${POINT} } }`,
  );
  const path = "/v1/stats/series?by=week&from=2026-01-01&to=2026-02-01&grade=NR,A&jurisdiction=SG";
  expect(weeks.data.series).toEqual((await rest(path)).points);
  const grades = await run(`{ cohorts(by: grade, originator: "org_northwind") { ${COHORT} } }`);
  expect(grades.data.cohorts).toEqual(
    (await rest("/v1/stats/cohorts?by=grade&originator=org_northwind")).cohorts,
  );
});

async function counting(asked: { originator?: string | undefined }[]): Promise<RunQuery> {
  const snapshot = await snapshotOf(tablesOf({ listings: rows }), registry);
  const overTime = snapshot.market.overTime as OverTime;
  const counted: OverTime = {
    ...overTime,
    series: (query) => asked.push(query) && overTime.series(query),
    cohorts: (query) => asked.push(query) && overTime.cohorts(query),
  } as OverTime;
  return showing({ ...snapshot, market: Object.create(snapshot.market, { overTime: { value: counted } }) });
}

it("what is kept for the newest market alone is read before the request may pause", async () => {
  const asked: { originator?: string | undefined }[] = [];
  const { errors } = await (await counting(asked))(`{
    business: series(originator: "org_northwind") { period }
    cohortsOfIt: cohorts(originator: "org_northwind") { cohort }
    series { period }
    grade: series(grade: [A]) { period }
    cohorts { cohort }
  }`);
  expect(errors).toBeUndefined();
  const ofIt = "org_northwind";
  expect(asked.map(({ originator }) => originator)).toEqual([undefined, undefined, undefined, ofIt, ofIt]);
});

it("equal arguments are worked out once for a request", async () => {
  const asked: object[] = [];
  const { data, errors } = await (await counting(asked))(`query ($by: SeriesPeriod = month) {
    a: series(by: month, originator: "org_northwind") { period }
    b: series(originator: "org_northwind", by: $by) { period }
    c: cohorts(by: month, originator: "org_northwind") { cohort }
    d: cohorts(originator: "org_northwind", by: month) { cohort }
  }`);
  expect(errors).toBeUndefined();
  expect(asked).toHaveLength(2);
  expect(data.b).toEqual(data.a);
  expect(data.d).toEqual(data.c);
  expect(Object.keys(data)).toEqual(["a", "b", "c", "d"]);
});

it("a span that has no answer is refused in the words of REST", async () => {
  const { errors } = await run('{ series(by: day, from: "1990-01-01") { period } }');
  const { errors: expected } = await rest("/v1/stats/series?by=day&from=1990-01-01");
  expect(errors?.[0]?.extensions).toMatchObject({ code: "BAD_USER_INPUT", errors: expected });
});

it("both are null with an error in the backfill, and the rest is answered", async () => {
  const tables = tablesOf({ listings: rows });
  const early = await showing(
    await snapshotOf({ ...tables, backfilled: false, rows: { ...tables.rows, flows: null } }, registry),
  );
  const { data, errors } = await early("{ series { period } cohorts { cohort } stats { raised } }");
  expect(data).toMatchObject({ series: null, cohorts: null, stats: { raised: expect.any(String) } });
  expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(["BACKFILLING", "BACKFILLING"]);
});
