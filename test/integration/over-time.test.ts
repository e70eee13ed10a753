/**
 * The market over time, of five random histories through the real contracts and at several moments of each: series and cohorts are those
 * of the model, which looks at every raise at the end of every period.
 */

import { drizzle } from "drizzle-orm/pglite";
import type { ReadonlyDrizzle } from "ponder";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FlowRow, withFlowRows } from "../../api/market/flows.ts";
import type { Market } from "../../api/market/market.ts";
import { COHORTS_BY, type Scope, type Series, type SeriesQuery } from "../../api/market/series-schema.ts";
import { readFlows, readNewFlows } from "../../api/updater/flows.ts";
import { deployDesk, deployDollar, deployEscrow } from "../../demo/deploy.ts";
import * as tables from "../../ponder.schema.ts";
import type { StoredRow } from "../../src/fold/state.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { type ChainMarket, chainMarketOf } from "../harness/chain-market.ts";
import { createHistory } from "../harness/history/history.ts";
import { INSERT_LEDGER, LEDGER_TABLE, rowsJson } from "../harness/ledger-table.ts";
import { cohortsIn, pointsIn } from "../harness/over-time.ts";
import { parseRegistry } from "../harness/parsed-registry.ts";
import { project } from "../harness/project.ts";
import { totalsOf } from "../harness/series-totals.ts";
import { SITE } from "../harness/snapshot.ts";
import { predict } from "../model/answers.ts";
import { fetchDeskLogs, fetchLogs, headAt } from "../model/compare.ts";
import { differences } from "../model/differences.ts";
import { cohortsOf, seriesOf } from "../model/over-time.ts";

const SEEDS = [3, 11, 29, 37, 60];
const MOVES = 500;

let chain: LocalChain;

beforeEach(async () => {
  chain = await startChain({ genesisTimestamp: 1_600_000_000 });
});

afterEach(() => chain.stop());

async function play(seed: number) {
  const { address: dollar } = await deployDollar(chain);
  const escrows = [await deployEscrow(chain, { dollar, feeBps: 100 }), await deployEscrow(chain, { dollar })];
  const desk = await deployDesk(chain, { dollar });
  const addresses = escrows.map(({ address }) => address);
  const history = await createHistory({ chain, dollar, escrows: addresses, desk: desk.address, seed });
  await history.playUntil(MOVES);
  await history.finish();
  const client = chain.publicClient;
  const { number } = await headAt(client);
  return {
    number,
    desk: desk.address,
    document: history.registry(),
    logs: await fetchLogs(client, escrows, number),
    deskLogs: await fetchDeskLogs(client, desk, number),
  };
}

type Played = Awaited<ReturnType<typeof play>>;

function registryOf({ document }: Played) {
  return parseRegistry(Buffer.from(JSON.stringify(document)));
}

function settingsOf({ desk }: Played) {
  return { ...SITE, desk: desk.toLowerCase() as `0x${string}` };
}

async function marketAt(played: Played, ofChain: ChainMarket, block: bigint): Promise<Market> {
  const head = await headAt(chain.publicClient, block);
  const rows = await ofChain.rowsAt(block);
  const [registry, publicSettings] = [registryOf(played), settingsOf(played)];
  return project({ rows, registry, head, finalized: block, publicSettings });
}

async function modelAt({ document, logs, deskLogs, desk }: Played, block: bigint) {
  const upTo = <Log extends { blockNumber: bigint }>(all: readonly Log[]) =>
    all.filter(({ blockNumber }) => blockNumber <= block);
  const head = await headAt(chain.publicClient, block);
  const facts = { logs: upTo(logs), deskLogs: upTo(deskLogs), desk: desk.toLowerCase(), head };
  return predict({ ...facts, registry: document, publicUrl: "http://a.test", appUrl: null });
}

function pointsOf({ overTime }: Market, query: SeriesQuery): Series["points"] {
  return pointsIn(overTime, query);
}

describe.each(SEEDS)("the history of seed %i", (seed) => {
  test("has at several moments the series and the cohorts of the model, and its flows add up to its totals", async () => {
    const played = await play(seed);
    const ofChain = chainMarketOf({ ...played, desk: settingsOf(played).desk });
    const blocks = [played.number, (2n * played.number) / 3n, played.number / 3n];
    for (const block of blocks) {
      const market = await marketAt(played, ofChain, block);
      const model = await modelAt(played, block);
      expect(differences(model.stats, market.stats)).toEqual([]);
      const all = model.overTime();
      for (const by of ["day", "week", "month", "quarter"] as const) {
        const points = pointsOf(market, { by });
        expect(differences(seriesOf(all, by), points), `${by}s at block ${block}`).toEqual([]);
      }
      for (const by of COHORTS_BY)
        expect(
          differences(cohortsOf(all, by), cohortsIn(market.overTime, { by })),
          `cohorts by ${by} at block ${block}`,
        ).toEqual([]);
      for (const [query, isOf] of scopesOf(all.raises)) {
        const own = { ...all, raises: all.raises.filter(isOf) };
        const scoped = cohortsIn(market.overTime, { by: "quarter", ...query });
        expect(differences(cohortsOf(own, "quarter"), scoped), JSON.stringify(query)).toEqual([]);
        expect(
          differences(seriesOf(own, "month"), pointsOf(market, { ...query, by: "month" })),
          JSON.stringify(query),
        ).toEqual([]);
      }
      addsUp(market);
    }
    await isReadFromTables(ofChain, played.number);
    await changesOnlyWhatIsReverted(played);
  });
});

/** The database's sums are those of the past event by event, even if the last events are read later. */
async function isReadFromTables(ofChain: ChainMarket, head: bigint): Promise<void> {
  const database = drizzle({ casing: "snake_case" });
  for (const statement of LEDGER_TABLE) await database.$client.query(statement);
  const read = async (rows: readonly StoredRow[]) => {
    await database.$client.query("TRUNCATE ledger");
    await database.$client.query(INSERT_LEDGER, [rowsJson(rows)]);
    return readFlows(database as unknown as ReadonlyDrizzle, tables.ledger, undefined);
  };
  const earlier = ofChain.ledger.filter(({ blockNumber }) => blockNumber <= head / 2n);
  const before = await read(earlier);
  const all = await read(ofChain.ledger);
  const events = ofChain.ledger.filter(({ blockNumber }) => blockNumber > head / 2n);
  const later = await readNewFlows(database as unknown as ReadonlyDrizzle, tables.ledger, events, head / 2n);
  await database.$client.close();
  const expected = textsOf((await ofChain.rowsAt(head)).flows ?? []);
  expect(expected.length).toBeGreaterThan(100);
  expect(textsOf(all)).toEqual(expected);
  expect(textsOf([...before, ...later])).toEqual(expected);
}

function textsOf(flows: readonly FlowRow[]): string[] {
  return withFlowRows(flows)
    .map(({ escrowAddress, onchainId, day, measure, amount }) =>
      [escrowAddress, onchainId, day, measure, amount].join(),
    )
    .sort();
}

/** Without the last sixth of its blocks, and the same clock, the market has the same periods up to there. */
async function changesOnlyWhatIsReverted(played: Played): Promise<void> {
  const fork = (5n * played.number) / 6n;
  const isKept = ({ blockNumber }: { blockNumber: bigint }) => blockNumber <= fork;
  const reverted = { logs: played.logs.filter(isKept), deskLogs: played.deskLogs.filter(isKept) };
  const desk = settingsOf(played).desk;
  const before = await marketAt(played, chainMarketOf({ ...played, desk }), played.number);
  const after = await marketAt(played, chainMarketOf({ ...reverted, desk }), played.number);
  const { timestamp } = await headAt(chain.publicClient, fork);
  const untouched = ({ overTime }: Market) => {
    const ids = before.listings.filter((one) => after.listingByPublicId.has(one.publicId));
    expect(ids.length).toBe(after.listings.length);
    return pointsIn(overTime, { by: "day", to: timestamp - 86_400n });
  };
  const points = untouched(before);
  expect(points.length).toBeGreaterThan(20);
  expect(untouched(after)).toEqual(points);
  expect(after.overTime?.series({})).not.toEqual(before.overTime?.series({}));
}

type Raises = ReturnType<Awaited<ReturnType<typeof modelAt>>["overTime"]>["raises"];

function scopesOf(raises: Raises): [Scope, (raise: Raises[number]) => boolean][] {
  const [one] = raises;
  if (one === undefined) return [];
  const { originator, country } = one;
  return [
    [{ originator }, (raise) => raise.originator === originator],
    [{ grade: ["NR", "C"] }, ({ grade }) => grade === "NR" || grade === "C"],
    [{ jurisdiction: [country] }, (raise) => raise.country === country],
    [
      { grade: ["NR"], jurisdiction: [country] },
      (raise) => raise.grade === "NR" && raise.country === country,
    ],
  ];
}

/** The last point is the statistics, and the periods before it add up to it. */
function addsUp(market: Market): void {
  const { stats } = market;
  for (const by of ["day", "month"] as const) {
    const points = pointsOf(market, { by });
    const last = points.at(-1);
    expect(last).toMatchObject(totalsOf(stats));
    if (by === "day") continue;
    const sumOf = (
      name: "committed" | "withdrawn" | "lent" | "repaidPrincipal" | "repaidInterest" | "writtenOff",
    ) => points.reduce((sum, point) => sum + BigInt(point[name]), 0n);
    expect(`${sumOf("committed") - sumOf("withdrawn")}`).toBe(stats.raised);
    expect(`${sumOf("lent")}`).toBe(stats.lent);
    expect(`${sumOf("repaidPrincipal") + sumOf("repaidInterest")}`).toBe(stats.repaid);
    expect(`${sumOf("writtenOff")}`).toBe(stats.writtenOff);
    expect(points.reduce((sum, { opened }) => sum + opened, 0)).toBe(market.listings.length);
  }
}
