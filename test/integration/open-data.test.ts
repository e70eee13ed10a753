/**
 * The open data of two services over one chain: the same bytes on both databases, by bulk and by ordinary indexing, and offline; and
 * queries of them with DuckDB, which find what the services answer. The files are fetched over HTTP by range, as DuckDB fetches them
 * itself where it may download its extension for that.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { filesOf, type Manifest } from "../../api/data/manifest.ts";
import { RECIPES, tablesSql } from "../../api/data/recipes.ts";
import type { Originator } from "../../api/market/originator.ts";
import type { Listing, Stats } from "../../api/market/schema.ts";
import { COHORTS_BY, type Cohorts, type Series } from "../../api/market/series-schema.ts";
import { readSettings } from "../../config/environment.ts";
import { schemaNameOf } from "../../config/schema-name.ts";
import { type DemoMarket, playDemoMarket } from "../../demo/market/play.ts";
import { exportParquet } from "../../operate/cli/db/export-parquet.ts";
import { type LocalChain, startDemoChain } from "../harness/chain.ts";
import { type Duck, openDuck, type Row } from "../harness/duckdb.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { fetchByRange } from "../harness/fetched-data.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { RAISEBOOK, runProgram } from "../harness/run-program.ts";
import { type Service, startService } from "../harness/service.ts";
import { until } from "../harness/until.ts";

/** The end of the market, 2026-03-01T12:00:00Z. */
const END = 1_772_366_400;
const SHARED = { DATA_BLOCKS: "100", DATA_LICENCE: "CC-BY-4.0" };
/** Bytes of a request. */
const RANGE = 4_096;

const folder = temporaryFolder();
let chain: LocalChain;
let market: DemoMarket;
let postgres: Postgres;
/** on PGlite, its history in bulk; and on PostgreSQL, event by event */
let bulk: Service;
let ordinary: Service;

const place = (name: string) => join(folder, name);
const settingsOf = (name: string) => ({ ...market.settings, ...SHARED, DATA_FILES: place(name) });

beforeAll(async () => {
  [chain, postgres] = await Promise.all([startDemoChain({ end: END }), startPostgres()]);
  market = await playDemoMarket(chain, { seed: 1, now: END });
  const { registry } = market;
  const shared = { rpcUrl: chain.rpcUrl, registry };
  [bulk, ordinary] = await Promise.all([
    startService({ ...shared, dataDirectory: place("pglite"), env: settingsOf("bulk") }),
    startService({
      ...shared,
      env: { ...settingsOf("ordinary"), DATABASE_URL: postgres.connectionString, FAST_FORWARD: "false" },
    }),
  ]);
});

/** The manifest once it covers at least this block. */
async function manifestOf(service: Service, block: bigint): Promise<Manifest> {
  const read = () => service.json<Manifest>("/data/manifest.json");
  await until(`data up to block ${block}`, async () => BigInt((await read()).toBlock) >= block, {
    report: () => service.log.slice(-20).join("\n"),
  });
  return read();
}

/** The last block of the last range that is wholly final. */
async function lastWhole(service: Service): Promise<bigint> {
  const head = await chain.publicClient.getBlockNumber();
  await service.indexed(head);
  const { number } = await chain.publicClient.getBlock({ blockTag: "finalized" });
  return ((number + 1n) / 100n) * 100n - 1n;
}

/** The manifest in a directory, and the files that it names: those of the manifest before may be there too. */
async function contentOf(name: string): Promise<Record<string, string>> {
  const hashOf = async (file: string) => {
    const bytes = await readFile(join(place(name), file));
    return [file, createHash("sha256").update(bytes).digest("hex")] as const;
  };
  const manifest: Manifest = JSON.parse(await readFile(join(place(name), "manifest.json"), "utf8"));
  const files = filesOf(manifest).map(({ path }) => path);
  return Object.fromEntries(await Promise.all(["manifest.json", ...files].map(hashOf)));
}

describe("the files", () => {
  let first: Manifest;

  test("are the same bytes on both databases, and have the hashes of the manifest", async () => {
    const block = await lastWhole(bulk);
    expect(block).toBeGreaterThan(300n);
    first = await manifestOf(bulk, block);
    expect(await manifestOf(ordinary, await lastWhole(ordinary))).toEqual(first);
    const content = await contentOf("bulk");
    expect(await contentOf("ordinary")).toEqual(content);
    for (const { path, sha256 } of filesOf(first)) expect(content[path]).toBe(sha256);
    expect(first).toMatchObject({ toBlock: `${block}`, blocksPerFile: "100", licence: "CC-BY-4.0" });
    const { root } = await bulk.json<{ root: string }>(`/v1/root?at=${block}`);
    expect(first.root).toBe(root);
    expect(first.tables.ledger.rows).toBeGreaterThan(500);
  });

  test("stay as they are when more blocks become final", async () => {
    const before = await contentOf("bulk");
    await chain.testClient.mine({ blocks: 150 });
    const block = await lastWhole(bulk);
    const later = await manifestOf(bulk, block);
    expect(await manifestOf(ordinary, block)).toEqual(later);
    expect(BigInt(later.toBlock)).toBeGreaterThan(BigInt(first.toBlock));
    expect(later.tables.ledger.files.slice(0, first.tables.ledger.files.length)).toEqual(
      first.tables.ledger.files,
    );
    const after = await contentOf("bulk");
    const ledger = Object.entries(before).filter(([name]) => name.startsWith("ledger/"));
    expect(after).toMatchObject(Object.fromEntries(ledger));
  });
});

describe("queries with DuckDB", () => {
  let duck: Duck;
  let manifest: Manifest;
  let at: string;

  beforeAll(async () => {
    ({ text: at } = await bulk.get("/data/manifest.json"));
    manifest = JSON.parse(at);
    const copy = place("copy");
    await mkdir(copy);
    await writeFile(join(copy, "manifest.json"), at);
    for (const file of filesOf(manifest)) await fetchByRange(`${bulk.url}/data/`, copy, file, RANGE);
    duck = await openDuck();
    await duck.rows(tablesSql(`${copy}/`));
  });
  afterAll(() => duck?.close());

  const run = (id: string): Promise<Row[]> => {
    const recipe = RECIPES.find((one) => one.id === id);
    if (recipe === undefined) throw new Error(`there is no query ${id}`);
    return duck.rows(recipe.sql);
  };
  const then = <Answer>(path: string) => bulk.json<Answer>(`${path}?asOf=${manifest.toBlock}`);
  const sum = (amounts: readonly string[]) => amounts.reduce((total, one) => total + BigInt(one), 0n);

  /** Values as text, and the names of SQL as those of the answers. */
  const asAnswered = (row: object) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
        value === null ? null : `${value}`,
      ]),
    );

  test("the figures of /v1/stats are the sums of the files, digit for digit", async () => {
    const stats = await then<Stats>("/v1/stats");
    const [found] = await run("statistics");
    const { byStatus, outstandingByRepayment, ...rest } = stats;
    expect(asAnswered(found ?? {})).toEqual(asAnswered(rest));
    const states = await run("states");
    const count = (status: string) =>
      states.filter((row) => row.status === status).reduce((total, { raises }) => total + Number(raises), 0);
    for (const [status, raises] of Object.entries(byStatus))
      expect([status, count(status)]).toEqual([status, raises]);
    for (const [repayment, { amount }] of Object.entries(outstandingByRepayment)) {
      const owed = states
        .filter((row) => row.repayment === repayment)
        .map(({ outstanding }) => `${outstanding}`);
      expect([repayment, `${sum(owed)}`]).toEqual([repayment, amount]);
    }
    expect(await run("check")).toEqual([]);
  });

  test("flows by month are those of the events", async () => {
    type Event = { kind: string; blockNumber: string; blockTime: string } & Record<string, string>;
    const none = {
      ...{ committed: 0n, withdrawn: 0n, lent: 0n, repaid_principal: 0n, repaid_interest: 0n, refunded: 0n },
    };
    const byMonth = new Map<string, typeof none>();
    let cursor = "";
    do {
      const path = `/v1/events?limit=200&until=${manifest.toBlock}${cursor && `&cursor=${cursor}`}`;
      const { events, page } = await bulk.json<{ events: Event[]; page: { nextCursor: string | null } }>(
        path,
      );
      for (const event of events) {
        const month = event.blockTime.slice(0, 7);
        const flows = byMonth.get(month) ?? { ...none };
        byMonth.set(month, flows);
        const amount = BigInt(event.amount ?? 0);
        if (event.kind === "subscribed") flows.committed += amount;
        // Money that backers get back is withdrawn before the close, and refunded after it.
        if (event.kind === "refunded")
          flows[/withdrawn|outbid/.test(event.reason ?? "") ? "withdrawn" : "refunded"] += amount;
        if (event.kind === "drawn_down") flows.lent += amount;
        if (event.kind !== "repaid") continue;
        flows.repaid_principal += BigInt(event.principal ?? 0);
        flows.repaid_interest += BigInt(event.interest ?? 0);
      }
      cursor = page.nextCursor ?? "";
    } while (cursor !== "");
    const expected = [...byMonth].toSorted().map(([month, flows]) => ({
      month,
      ...Object.fromEntries(Object.entries(flows).map(([name, value]) => [name, `${value}`])),
    }));
    expect(await run("monthly-flows")).toEqual(expected);
    expect(expected.length).toBeGreaterThan(12);
  });

  test("the months of /v1/stats/series are those of the files, digit for digit", async () => {
    const { points } = await bulk.json<Series>(`/v1/stats/series?by=month&asOf=${manifest.toBlock}`);
    expect(points.length).toBeGreaterThan(12);
    const owed = new Map((await run("owed")).map(({ period, ...states }) => [period, states]));
    const found = (await run("series")).map((row) => asAnswered({ ...row, ...owed.get(row.period ?? "") }));
    const expected = points.map(({ start, end, isOver, trades, traded, averagePriceBps, ...rest }) =>
      asAnswered(rest),
    );
    expect(found).toEqual(expected);
    // The demo has rows in every part of the query.
    for (const name of ["withdrawn", "lent", "writtenOff", "reservesUsed", "offers", "outstandingLate"])
      expect([name, found.some((row) => row[name] !== "0")]).toEqual([name, true]);
  });

  test("the cohorts are those of /v1/stats/cohorts, of every kind", async () => {
    const rows = await duck.rows("FROM cohorts");
    for (const by of COHORTS_BY) {
      const { cohorts } = await bulk.json<Cohorts>(`/v1/stats/cohorts?by=${by}&asOf=${manifest.toBlock}`);
      const found = rows
        .filter((row) => row.by === by)
        .map(({ by: _, too_large, ...row }) => asAnswered(row));
      expect(found).toEqual(cohorts.map(({ curve, ...cohort }) => asAnswered(cohort)));
      expect(found.length).toBeGreaterThan(1);
    }
    const returns = (found: Row[]) => found.map((row) => row.realised_return_bps);
    expect(returns(await run("vintages"))).toEqual(returns(rows.filter(({ by }) => by === "quarter")));
  });

  test("default rates and concentration are those of the raises", async () => {
    const { listings } = await then<{ listings: Listing[] }>("/v1/listings");
    const settled = Map.groupBy(
      listings.filter(({ status }) => status === "matured"),
      ({ originatorGrade }) => originatorGrade,
    );
    const rates = [...settled].toSorted().map(([grade, raises]) => {
      const lent = sum(raises.map(({ drawnAmount }) => drawnAmount));
      const lost = sum(raises.map(({ writtenOffAmount }) => writtenOffAmount));
      return [grade, `${raises.length}`, lent === 0n ? null : `${(10_000n * lost) / lent}`];
    });
    const found = await run("default-rate");
    expect(found.map((row) => [row.grade, row.settled_raises, row.default_rate_bps])).toEqual(rates);
    const { originators } = await then<{ originators: Originator[] }>("/v1/originators");
    const owed = originators
      .map(({ publicId, jurisdiction, listings: raises }) => ({
        ...{ originator: publicId, country: jurisdiction },
        outstanding: sum(raises.map(({ outstandingPrincipal }) => outstandingPrincipal)),
      }))
      .filter(({ outstanding }) => outstanding > 0n)
      .toSorted((a, b) => Number(b.outstanding - a.outstanding));
    const whole = owed.reduce((total, { outstanding }) => total + outstanding, 0n);
    const rows = (await run("concentration")).map(({ grade: _, ...row }) => row);
    expect(rows).toEqual(
      owed.slice(0, 10).map(({ outstanding, ...one }) => ({
        ...{ ...one, outstanding: `${outstanding}`, share_bps: `${(10_000n * outstanding) / whole}` },
      })),
    );
  });
});

describe("raisebook db export --parquet", () => {
  test("writes the same bytes from either database, and continues a directory", async () => {
    const expected = await contentOf("bulk");
    const { toBlock } = JSON.parse(await readFile(join(place("bulk"), "manifest.json"), "utf8")) as Manifest;
    await writeFile(place("registry.json"), JSON.stringify(market.registry));
    const shared = {
      RPC_URLS: chain.rpcUrl,
      REGISTRY: place("registry.json"),
      ...market.settings,
      ...SHARED,
    };
    const run = (env: Record<string, string>, ...args: string[]) =>
      runProgram(RAISEBOOK, ["db", "export", ...args], { cwd: folder, env: { ...shared, ...env } });
    const onPostgres = { DATABASE_URL: postgres.connectionString, DATABASE_SCHEMA: "" };
    const outcome = await run(onPostgres, "--parquet", place("from-postgres"), "--json");
    expect(outcome).toMatchObject({ code: 0, errors: "" });
    expect(JSON.parse(outcome.output)).toMatchObject({ directory: place("from-postgres"), toBlock });
    const written = await contentOf("from-postgres");
    expect(written).toEqual(expected);
    expect((await run(onPostgres, "--parquet", place("from-postgres"))).output).toContain(
      `up to block ${toBlock}`,
    );
    const settings = readSettings({ ...shared, ...onPostgres });
    await postgres.query(`ALTER TABLE ${schemaNameOf(settings)}.listing RENAME TO hidden`);
    const unreadable = exportParquet(settings, place("unreadable"), true, 1_000);
    await expect(unreadable).rejects.toThrow(/^The tables cannot be read: .*listing/);
    await postgres.query(`ALTER TABLE ${schemaNameOf(settings)}.hidden RENAME TO listing`);
    // While a service has the embedded database, nothing else can read it.
    const pglite = { RAISEBOOK_DATA_DIR: place("pglite") };
    await bulk.stop();
    const embedded = await run(pglite, "--parquet", place("from-pglite"));
    expect(embedded).toMatchObject({ code: 0, errors: "" });
    expect(await contentOf("from-pglite")).toEqual(written);
    const neither = await run(pglite);
    expect(neither).toMatchObject({ code: 2, errors: expect.stringContaining("--parquet") });
    const tooLarge = await run({ ...pglite, DATA_BLOCKS: "1000000" }, "--parquet", place("none"));
    expect(tooLarge).toMatchObject({
      code: 1,
      errors: expect.stringContaining("No range of 1000000 blocks"),
    });
  });
});
