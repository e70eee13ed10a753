/**
 * The money of a listing over time, as the database sums it: against the fold, event by event, over histories that an
 * escrow permits and over ones that none does, on both databases; and over a large table.
 */
import { drizzle as drizzlePglite } from "drizzle-orm/pglite";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../api/database/checkpoint.ts";
import { createLedgerReader, type LedgerReader } from "../../api/ledger/read.ts";
import {
  type BookFigures,
  cumulative,
  type ListingSeries,
  type SeriesQuery,
} from "../../api/ledger/series.ts";
import * as tables from "../../ponder.schema.ts";
import type { LocatedEvent } from "../../src/fold/events.ts";
import type { LedgerRow, ListingRow } from "../../src/fold/state.ts";
import { arbitraryHistory } from "../harness/arbitrary-history.ts";
import { createBook, ESCROW } from "../harness/book.ts";
import { edgeHistories } from "../harness/edge-histories.ts";
import { INSERT_LEDGER, LEDGER_TABLE, ledgerJson } from "../harness/ledger-table.ts";
import { permittedHistory } from "../harness/permitted-history.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";

const SEED = 5;
const HISTORIES = 150;
let postgres: Postgres;
let pool: pg.Pool;
let asked: { text: string; values: unknown[] } | undefined;

beforeAll(async () => {
  postgres = await startPostgres();
  pool = new pg.Pool({ connectionString: postgres.connectionString });
  for (const statement of LEDGER_TABLE) await pool.query(statement);
});

afterAll(async () => {
  await pool?.end();
  await postgres?.stop();
});

function figuresOf(row: ListingRow | undefined): BookFigures {
  const { raisedAmount = 0n, refundedAmount = 0n, repaidPrincipal = 0n, repaidInterest = 0n } = row ?? {};
  return {
    raisedAmount: `${raisedAmount}`,
    refundedAmount: `${refundedAmount}`,
    repaidAmount: `${repaidPrincipal + repaidInterest}`,
  };
}

type Told = { onchainId: bigint; events: readonly LocatedEvent[]; rows: LedgerRow[]; isConsistent: boolean };

/** What the chain said of one listing after another, and whether it was consistent with itself. */
function told(histories: readonly (readonly LocatedEvent[])[], firstId: number): Told[] {
  return histories.map((history, index) => {
    const onchainId = BigInt(firstId + index);
    // All are of one chain: a block has its time, whichever history it is in.
    const events = history.map((event) => {
      const { blockTime, blockNumber: position } = event.at;
      return { ...event, at: { ...event.at, onchainId, blockNumber: blockTime, logIndex: Number(position) } };
    });
    const book = createBook();
    const rows = events.map((event) => book.record(event).ledger);
    const contradictions = ["total_mismatch", "refund_exceeds_principal", "unknown_listing"];
    const isConsistent = !book.anomalies.some(({ kind }) => contradictions.includes(kind));
    return { onchainId, events, rows, isConsistent };
  });
}

const permitted = told(
  fc
    .sample(permittedHistory(), { numRuns: HISTORIES, seed: SEED })
    .map((transactions) => transactions.flatMap(({ events }) => events)),
  1,
);
const edges = told(edgeHistories(), 5_000);
const arbitrary = told(fc.sample(arbitraryHistory(), { numRuns: 2 * HISTORIES, seed: SEED }), 1_000);

/** The book's figures after the events that come before a moment, folded one by one. */
function folded(events: readonly LocatedEvent[], isBefore: (event: LocatedEvent) => boolean): BookFigures {
  const book = createBook();
  for (const event of events) if (isBefore(event)) book.record(event);
  return figuresOf([...book.listings.values()][0]);
}

async function series(reader: LedgerReader, onchainId: bigint, query: SeriesQuery): Promise<ListingSeries> {
  const found = await reader.seriesOfListing({ escrowAddress: ESCROW, onchainId }, query);
  if (typeof found === "string") throw new Error(`no series: ${found}`);
  return found;
}

describe.each(["PostgreSQL", "PGlite"])("on %s", (name) => {
  let reader: LedgerReader;
  let close = async () => {};

  beforeAll(async () => {
    const rows = ledgerJson([...permitted, ...edges, ...arbitrary].flatMap((one) => one.rows));
    if (name === "PGlite") {
      const database = drizzlePglite({ casing: "snake_case" });
      for (const statement of LEDGER_TABLE) await database.$client.query(statement);
      await database.$client.query(INSERT_LEDGER, [rows]);
      reader = createLedgerReader({ database: database as unknown as Database, tables });
      close = () => database.$client.close();
      return;
    }
    await pool.query(INSERT_LEDGER, [rows]);
    const { drizzle } = await import("drizzle-orm/node-postgres");
    const database = drizzle(pool, { casing: "snake_case" });
    reader = createLedgerReader({ database: database as unknown as Database, tables });
  });

  afterAll(() => close());

  test("of a chain that is consistent, every point is what the fold had then", async () => {
    const consistent = [...permitted, ...edges, ...arbitrary].filter(({ isConsistent }) => isConsistent);
    expect(consistent).toEqual(expect.arrayContaining([...permitted, ...edges]));
    expect(consistent.length).toBeGreaterThan(HISTORIES * 1.2);
    let compared = 0;
    for (const [index, { onchainId, events }] of consistent.entries()) {
      const end = events.at(-1)?.at.blockTime ?? 1n;
      // Longer than the history, exactly as long, and cut at both ends.
      const spans = [
        [0n, end + 7n],
        [1n, end],
        [end / 4n, end / 2n],
      ] as const;
      const [from, to] = spans[index % 3] ?? spans[0];
      const query = { until: { block: 10_000n }, from, to, points: 1 + (index % 23) };
      const { buckets } = await series(reader, onchainId, query);
      expect(buckets.length).toBeLessThanOrEqual(query.points);
      const { points, agrees } = cumulative(
        buckets,
        folded(events, () => true),
      );
      expect(agrees, `listing ${onchainId}`).toBe(true);
      for (const [at, bucket] of buckets.entries()) {
        const isLast = at === buckets.length - 1;
        const then = folded(events, (event) => isLast || event.at.blockTime < bucket.end);
        const { committed, refunded, repaid } = points[at + 1] ?? {
          committed: -1n,
          refunded: -1n,
          repaid: -1n,
        };
        expect(
          { raisedAmount: `${committed}`, refundedAmount: `${refunded}`, repaidAmount: `${repaid}` },
          `listing ${onchainId}, up to ${bucket.end}`,
        ).toEqual(then);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(1_000);
  });

  test("up to a block, it is what the fold had after it", async () => {
    for (const { onchainId, events } of permitted) {
      const block = events[Math.floor(events.length / 2)]?.at.blockNumber ?? 0n;
      const query = { until: { block }, from: 0n, to: 5_000n, points: 9 };
      const { buckets } = await series(reader, onchainId, query);
      const then = folded(events, (event) => event.at.blockNumber <= block);
      expect(cumulative(buckets, then).agrees, `listing ${onchainId}, block ${block}`).toBe(true);
    }
  });

  test("of any chain at all, it ends in the book's figures, and says when the events do not", async () => {
    const verdicts = new Set<boolean>();
    for (const { onchainId, events } of arbitrary) {
      const query = { until: { block: 10_000n }, from: 0n, to: 300n, points: 12 };
      const { buckets } = await series(reader, onchainId, query);
      const book = folded(events, () => true);
      const { points, agrees } = cumulative(buckets, book);
      const { committed, refunded, repaid } = points.at(-1) ?? { committed: -1n, refunded: -1n, repaid: -1n };
      expect({
        raisedAmount: `${committed}`,
        refundedAmount: `${refunded}`,
        repaidAmount: `${repaid}`,
      }).toEqual(book);
      verdicts.add(agrees);
    }
    expect(verdicts).toEqual(new Set([true, false]));
  });

  test("of a listing without events, nothing happened", async () => {
    const query = { until: { block: 10_000n }, from: 100n, to: 100n, points: 60 };
    const nothing = { committed: 0n, refunded: 0n, repaidPrincipal: 0n, repaidInterest: 0n };
    const { buckets, progress } = await series(reader, 999_999n, query);
    expect(buckets).toEqual([{ start: 100n, end: 101n, ...nothing }]);
    expect(progress.head).toEqual({ number: 99_999n, timestamp: 1_800_000_000n });
  });
});

describe("of a hundred thousand subscriptions", () => {
  const BUSY = 100_000;
  const OTHERS = 150_000;
  const AMOUNT = 3n * 10n ** 60n + 1n;
  let reader: LedgerReader;

  beforeAll(async () => {
    await pool.query(`
      INSERT INTO ledger
      SELECT '${ESCROW}', CASE WHEN n < ${BUSY} THEN 50000 ELSE 60000 + n % 30 END,
        lpad((20000 + n / 4)::text, 10, '0') || lpad(n::text, 65, '0'), 'subscribed', 20000 + n / 4, 20000 + n / 4,
        '0x' || repeat('7a', 32), n % 4, json_build_object('backer', '0xb1', 'amount', '${AMOUNT}', 'totalRaised', '0')
      FROM generate_series(0, ${BUSY + OTHERS - 1}) AS n`);
    await pool.query("ANALYZE ledger");
    const { drizzle } = await import("drizzle-orm/node-postgres");
    const logger = {
      logQuery: (text: string, values: unknown[]) => {
        if (text.includes("WITH turns")) asked = { text, values };
      },
    };
    const database = drizzle(pool, { casing: "snake_case", logger });
    reader = createLedgerReader({ database: database as unknown as Database, tables });
  });

  test("only the sums leave the database, and they are exact", async () => {
    const query = { until: { block: 90_000n }, from: 20_000n, to: 44_999n, points: 60 };
    const { buckets } = await series(reader, 50_000n, query);
    const total = buckets.reduce((sum, { committed }) => sum + committed, 0n);
    expect(total).toBe(BigInt(BUSY) * AMOUNT);
    expect(Math.min(...buckets.map(({ committed }) => Number(committed / AMOUNT)))).toBeGreaterThan(1_600);
    if (asked === undefined) throw new Error("nothing was asked");
    expect((await pool.query(asked.text, asked.values)).rows).toHaveLength(60);
  });

  test("it walks the listing's part of the table, a few times", async () => {
    await series(reader, 60_007n, { until: { block: 90_000n }, from: 20_000n, to: 90_000n, points: 60 });
    if (asked === undefined) throw new Error("nothing was asked");
    const { rows } = await pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${asked.text}`, asked.values);
    type Plan = Record<string, unknown> & { Plans?: Plan[] };
    const scans: string[] = [];
    let looked = 0;
    const visit = (plan: Plan) => {
      if (plan["Relation Name"] === "ledger") {
        scans.push(String(plan["Node Type"]));
        const each = Number(plan["Actual Rows"]) + Number(plan["Rows Removed by Filter"] ?? 0);
        looked += each * Number(plan["Actual Loops"]);
      }
      for (const below of plan.Plans ?? []) visit(below);
    };
    visit(rows[0]["QUERY PLAN"][0].Plan);
    expect(scans).not.toContain("Seq Scan");
    expect(looked).toBeLessThan((3.1 * OTHERS) / 30);
  });
});
