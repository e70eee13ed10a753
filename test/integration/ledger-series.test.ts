/**
 * The money of a listing over time, as the database sums it: against the fold, point by point, over histories that an
 * escrow permits and over ones that none does, on both databases; and over a large table.
 */
import { drizzle as drizzlePostgres } from "drizzle-orm/node-postgres";
import { drizzle as drizzlePglite } from "drizzle-orm/pglite";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../api/database/checkpoint.ts";
import { createLedgerQueries, type LedgerQueries } from "../../api/ledger/read.ts";
import { cumulative, type ListingSeries, type SeriesQuery } from "../../api/ledger/series.ts";
import * as tables from "../../ponder.schema.ts";
import type { LocatedEvent } from "../../src/fold/events.ts";
import { arbitraryHistory } from "../harness/arbitrary-history.ts";
import { createBook, ESCROW } from "../harness/book.ts";
import { edgeHistories } from "../harness/edge-histories.ts";
import { INSERT_LEDGER, LEDGER_TABLE, rowsJson } from "../harness/ledger-table.ts";
import { permittedHistory } from "../harness/permitted-history.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";

const SEED = 5;
const HISTORIES = 150;
const NOTHING = { committed: 0n, refunded: 0n, repaid: 0n };
let postgres: Postgres;
let pool: pg.Pool;
let query: { text: string; values: unknown[] } | undefined;

beforeAll(async () => {
  postgres = await startPostgres();
  pool = new pg.Pool({ connectionString: postgres.connectionString });
  // It ends without waiting for its connections, which the end of the database may cut off.
  pool.on("error", () => {});
  for (const statement of LEDGER_TABLE) await pool.query(statement);
});

afterAll(async () => {
  await pool?.end();
});

function readerOnPostgres(): LedgerQueries {
  const logger = {
    logQuery: (text: string, values: unknown[]) => {
      if (text.includes("GROUP BY bucket")) query = { text, values };
    },
  };
  const database = drizzlePostgres(pool, { casing: "snake_case", logger });
  return createLedgerQueries({
    database: database as unknown as Database,
    tables,
    blockTimes: { of: async () => null },
  });
}

/** A listing's rows, and its figures after each of them as the fold has them. */
function recorded(history: readonly LocatedEvent[], onchainId: bigint) {
  const book = createBook();
  const steps = history.map((event) => {
    // All are of one chain: a block has its time, whichever history it is in.
    const { blockTime, blockNumber: position } = event.at;
    const at = { ...event.at, onchainId, blockNumber: blockTime, logIndex: Number(position) };
    const { listing } = book.record({ ...event, at });
    const { raisedAmount: committed, refundedAmount: refunded, repaidPrincipal, repaidInterest } = listing;
    return { blockTime, figures: { committed, refunded, repaid: repaidPrincipal + repaidInterest } };
  });
  return {
    onchainId,
    rows: book.ledger,
    end: steps.at(-1)?.blockTime ?? 1n,
    isContradictory: book.anomalies.some(({ kind }) => kind === "total_mismatch"),
    figuresBefore: (time: bigint) => steps.findLast(({ blockTime }) => blockTime < time)?.figures ?? NOTHING,
  };
}

const histories = [
  ...fc
    .sample(permittedHistory(), { numRuns: HISTORIES, seed: SEED })
    .map((transactions) => transactions.flatMap(({ events }) => events)),
  ...edgeHistories(),
  ...fc.sample(arbitraryHistory(), { numRuns: 2 * HISTORIES, seed: SEED }),
].map((history, index) => recorded(history, BigInt(index + 1)));

async function series(reader: LedgerQueries, onchainId: bigint, asked: SeriesQuery): Promise<ListingSeries> {
  const found = await reader.seriesOfListing({ escrowAddress: ESCROW, onchainId }, asked);
  if (typeof found === "string") throw new Error(`no series: ${found}`);
  return found;
}

describe.each(["PostgreSQL", "PGlite"])("on %s", (name) => {
  let reader: LedgerQueries;
  let close = async () => {};

  beforeAll(async () => {
    const rows = rowsJson(histories.flatMap((one) => one.rows));
    if (name === "PostgreSQL") {
      await pool.query(INSERT_LEDGER, [rows]);
      reader = readerOnPostgres();
      return;
    }
    const database = drizzlePglite({ casing: "snake_case" });
    for (const statement of LEDGER_TABLE) await database.$client.query(statement);
    await database.$client.query(INSERT_LEDGER, [rows]);
    reader = createLedgerQueries({
      database: database as unknown as Database,
      tables,
      blockTimes: { of: async () => null },
    });
    close = () => database.$client.close();
  });

  afterAll(() => close());

  test("every point is what the fold had then, also where the chain contradicts itself", async () => {
    expect(histories.filter(({ isContradictory }) => isContradictory).length).toBeGreaterThan(HISTORIES / 2);
    let compared = 0;
    for (const [index, { onchainId, end, figuresBefore }] of histories.entries()) {
      // Longer than the history, exactly as long, and cut at both ends.
      const spans = [
        [0n, end + 7n],
        [1n, end],
        [end / 4n, end / 2n],
      ] as const;
      const [from, to] = spans[index % 3] ?? spans[0];
      const asked = { until: { block: 10_000n }, from, to, points: 1 + (index % 23) };
      const { buckets } = await series(reader, onchainId, asked);
      expect(buckets.length).toBeLessThanOrEqual(asked.points);
      const [first, ...points] = cumulative(buckets);
      expect(first).toEqual({ at: from, ...NOTHING });
      const expected = buckets.map((bucket, at) => ({
        at: bucket.end,
        ...figuresBefore(at === buckets.length - 1 ? end + 1n : bucket.end),
      }));
      expect(points, `listing ${onchainId}`).toEqual(expected);
      compared += points.length;
    }
    expect(compared).toBeGreaterThan(2_000);
  });

  test("bids, less what was withdrawn and outbid, are what the fold had raised", async () => {
    let compared = 0;
    for (const { onchainId, end, isContradictory, figuresBefore } of histories) {
      const found = await reader.bidsOfListing({ escrowAddress: ESCROW, onchainId }, { block: 10_000n });
      if (typeof found === "string" || found.events === null) throw new Error(`no bids of ${onchainId}`);
      // A correction of the sum, after totals that contradict each other, is no bid.
      if (isContradictory) continue;
      const signed = found.events.map((event) => {
        if (event.kind === "closed") return 0n;
        return event.kind === "bid" ? event.amount : -event.amount;
      });
      const raised = signed.reduce((sum, change) => sum + change, 0n);
      expect(raised, `listing ${onchainId}`).toBe(figuresBefore(end + 1n).committed);
      compared += signed.length;
    }
    expect(compared).toBeGreaterThan(200);
  });

  test("up to a block, it is what the fold had after it", async () => {
    for (const { onchainId, end, figuresBefore } of histories) {
      const block = end / 2n;
      const asked = { until: { block }, from: 0n, to: 5_000n, points: 9 };
      const { buckets } = await series(reader, onchainId, asked);
      expect(cumulative(buckets).at(-1), `listing ${onchainId}, block ${block}`).toEqual({
        at: 5_000n,
        ...figuresBefore(block + 1n),
      });
    }
  });

  test("a listing without events has sums of zero", async () => {
    const asked = { until: { block: 10_000n }, from: 100n, to: 100n, points: 60 };
    const { buckets, progress } = await series(reader, 999_999n, asked);
    const none = { committed: 0n, refunded: 0n, repaidPrincipal: 0n, repaidInterest: 0n };
    expect(buckets).toEqual([{ start: 100n, end: 101n, ...none }]);
    expect(progress.head).toEqual({ number: 99_999n, timestamp: 1_800_000_000n });
  });
});

describe("of a hundred thousand subscriptions", () => {
  const BUSY = 100_000;
  const OTHERS = 150_000;
  const AMOUNT = 3n * 10n ** 60n + 1n;
  let reader: LedgerQueries;

  beforeAll(async () => {
    await pool.query(`
      INSERT INTO ledger
      SELECT '${ESCROW}', CASE WHEN n < ${BUSY} THEN 50000 ELSE 60000 + n % 30 END,
        lpad((20000 + n / 4)::text, 10, '0') || lpad(n::text, 65, '0'), 'subscribed', 20000 + n / 4, 20000 + n / 4,
        '0x' || repeat('7a', 32), n % 4, 0, '{"backer": "0xb1"}', ${AMOUNT}
      FROM generate_series(0, ${BUSY + OTHERS - 1}) AS n`);
    await pool.query("ANALYZE ledger");
    reader = readerOnPostgres();
  });

  test("only the sums leave the database, and they are exact", async () => {
    const asked = { until: { block: 90_000n }, from: 20_000n, to: 44_999n, points: 60 };
    const { buckets } = await series(reader, 50_000n, asked);
    const total = buckets.reduce((sum, { committed }) => sum + committed, 0n);
    expect(total).toBe(BigInt(BUSY) * AMOUNT);
    expect(Math.min(...buckets.map(({ committed }) => Number(committed / AMOUNT)))).toBeGreaterThan(1_600);
    if (query === undefined) throw new Error("the database was not queried");
    expect((await pool.query(query.text, query.values)).rows).toHaveLength(60);
  });

  test("it walks the listing's part of the table, once", async () => {
    await series(reader, 60_007n, { until: { block: 90_000n }, from: 20_000n, to: 90_000n, points: 60 });
    if (query === undefined) throw new Error("the database was not queried");
    const { rows } = await pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${query.text}`, query.values);
    type Plan = Record<string, unknown> & { Plans?: Plan[] };
    const scans: string[] = [];
    let walked = 0;
    const visit = (plan: Plan) => {
      if (plan["Relation Name"] === "ledger") {
        scans.push(String(plan["Node Type"]));
        const each = Number(plan["Actual Rows"]) + Number(plan["Rows Removed by Filter"] ?? 0);
        walked += each * Number(plan["Actual Loops"]);
      }
      for (const below of plan.Plans ?? []) visit(below);
    };
    visit(rows[0]["QUERY PLAN"][0].Plan);
    expect(scans).toHaveLength(1);
    expect(scans).not.toContain("Seq Scan");
    expect(walked).toBe(OTHERS / 30);
  });
});
