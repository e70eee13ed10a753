import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { appIn } from "../../test/harness/app.ts";
import { asking } from "../../test/harness/asking.ts";
import { DAY, everyState, listingRow, NOW } from "../../test/harness/rows.ts";
import { snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import { validatorOf } from "../../test/harness/validate.ts";
import type { FlowRow } from "../market/flows.ts";
import { dayOf } from "../market/periods.ts";

const committed = (onchainId: bigint, days: bigint, amount: bigint): FlowRow => ({
  escrowAddress: listingRow().escrowAddress,
  ...{ onchainId, day: dayOf(NOW - days * DAY), measure: "committed", amount },
});

const { rows: listings, registry } = everyState();
const flows = [committed(3n, 200n, 90n), committed(3n, 40n, 5n), committed(2n, 1n, 7n)];
const ask = asking(await appIn({ snapshot: await snapshotOf(tablesOf({ listings, flows }), registry) }));
const assertAnswer = await validatorOf(ask);

async function answer(path: string, headers: Record<string, string> = {}) {
  const found = await ask(path, { headers });
  assertAnswer(path, found);
  return found;
}

const rowsOf = (text: string) => parse(text, { columns: true }) as Record<string, string>[];

describe("GET /v1/stats/series", () => {
  it("has a point for each month unless told otherwise, and those of one business", async () => {
    const { status, text } = await answer("/v1/stats/series");
    const { by, points } = JSON.parse(text);
    expect([status, by]).toEqual([200, "month"]);
    expect(points.at(-1)).toMatchObject({ period: "2026-03", isOver: false, end: "2026-03-01T12:00:00Z" });
    expect(
      points.reduce((sum: bigint, point: { committed: string }) => sum + BigInt(point.committed), 0n),
    ).toBe(102n);
    const scoped = JSON.parse((await answer("/v1/stats/series?by=quarter&originator=org_nobody")).text);
    expect(scoped).toMatchObject({ by: "quarter", points: [{ period: "2026-Q1", committed: "0" }] });
  });

  it("is the same in CSV, by its path and by Accept, with the same columns", async () => {
    const query = "?by=week&from=2026-01-01";
    const { points } = JSON.parse((await answer(`/v1/stats/series${query}`)).text);
    const file = await answer(`/v1/stats/series.csv${query}`);
    expect(file.headers.get("Content-Disposition")).toContain("series.csv");
    const negotiated = await ask(`/v1/stats/series${query}`, { headers: { Accept: "text/csv" } });
    expect(negotiated.text).toBe(file.text);
    const cells = points.map((point: object) =>
      Object.fromEntries(
        Object.entries(point).map(([name, value]) => [name, value === null ? "" : `${value}`]),
      ),
    );
    expect(rowsOf(file.text)).toEqual(cells);
    expect(cells).toHaveLength(9);
  });

  it.each([
    ["?by=hour", "by", "day, week, month, quarter"],
    ["?from=yesterday", "from", "a time such as"],
    ["?from=2026-03-02&by=day", "from", "2026-03-01T12:00:00Z"],
    ["?from=2026-02-01&to=2026-01-01", "to", "not before `from`"],
    ["?from=1900-01-01&by=month", "from", "at most 1000 months"],
    ["?grade=Z", "grade", "NR"],
  ])("refuses %s and says what is allowed", async (query, parameter, allowed) => {
    const { status, text } = await answer(`/v1/stats/series${query}`);
    const problem = JSON.parse(text);
    expect([status, problem.code]).toEqual([400, "invalid_parameter"]);
    expect(problem.errors).toMatchObject([{ parameter }]);
    expect(problem.errors[0].allowed.join(", ")).toContain(allowed);
  });

  it("and the cohorts are not there in the backfill", async () => {
    const { rows, registry } = everyState();
    const tables = tablesOf({ listings: rows });
    const whole = { ...tables, backfilled: false, rows: { ...tables.rows, flows: null } };
    const early = asking(await appIn({ snapshot: await snapshotOf(whole, registry) }));
    for (const path of ["/v1/stats/series", "/v1/stats/cohorts", "/v1/stats/curves.csv"]) {
      const { status, headers, text } = await early(path);
      expect([status, headers.get("Retry-After"), JSON.parse(text).code]).toEqual([503, "10", "backfilling"]);
    }
  });

  it("is answered with a tag, and not again while the market is the same", async () => {
    const { headers } = await answer("/v1/stats/series?by=day");
    const again = await ask("/v1/stats/series?by=day", {
      headers: { "If-None-Match": headers.get("ETag") ?? "" },
    });
    expect(again.status).toBe(304);
  });
});

describe("GET /v1/stats/cohorts", () => {
  it("has the loans by quarter unless told otherwise, and its two files have the same figures", async () => {
    const { by, cohorts } = JSON.parse((await answer("/v1/stats/cohorts")).text);
    expect(by).toBe("quarter");
    expect(cohorts.length).toBeGreaterThan(0);
    const text = ({ curve, ...row }: { curve: object[] }) => row;
    const asCells = (row: object) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, value === null ? "" : `${value}`]),
      );
    const file = await answer("/v1/stats/cohorts.csv");
    expect(rowsOf(file.text)).toEqual(cohorts.map(text).map(asCells));
    const curves = await answer("/v1/stats/curves.csv");
    const months = cohorts.flatMap(({ cohort, curve }: { cohort: string; curve: object[] }) =>
      curve.map((point) => asCells({ cohort, ...point })),
    );
    expect(rowsOf(curves.text)).toEqual(months);
    expect(months.length).toBeGreaterThan(1);
  });

  it("refuses a word that is no cohort", async () => {
    const { status, text } = await answer("/v1/stats/cohorts?by=day");
    expect([status, JSON.parse(text).errors]).toMatchObject([400, [{ parameter: "by" }]]);
  });
});
