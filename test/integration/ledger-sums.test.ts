/**
 * The database's sums of a span of time, against a plain sum over all rows: for one raise, for a few
 * and for all, and with more rows than are summed at once.
 */
import { drizzle } from "drizzle-orm/pglite";
import type { ReadonlyDrizzle } from "ponder";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../api/database/checkpoint.ts";
import { createLedgerQueries } from "../../api/ledger/read.ts";
import { setOf } from "../../api/ledger/read-events.ts";
import { readSums } from "../../api/ledger/read-sums.ts";
import { activityOf, type ListingKindSums } from "../../api/ledger/sums.ts";
import * as tables from "../../ponder.schema.ts";
import type { LedgerRow, MoneyDeltas } from "../../src/fold/state.ts";
import type { EventKind } from "../../src/fold/vocabulary.ts";
import { ESCROW } from "../harness/book.ts";
import { eventIdAt, INSERT_LEDGER, LEDGER_TABLE, rowsJson } from "../harness/ledger-table.ts";

const FIRST = 1_700_000_000n;
const LISTINGS = 60;
const ROWS = 3_000;
const KINDS: readonly EventKind[] = ["subscribed", "refunded", "drawn_down", "repaid", "listing_settled"];

type Row = LedgerRow & MoneyDeltas;

/** Two events a second, each of another raise; what an event of its kind changes depends on its number. */
function rowOf(n: number): Row {
  const blockTime = FIRST + BigInt(Math.floor(n / 2));
  const kind = KINDS[n % KINDS.length] ?? "subscribed";
  const amount = BigInt(n) * 10n ** 18n;
  return {
    escrowAddress: ESCROW,
    onchainId: BigInt(1 + ((n * 7) % LISTINGS)),
    eventId: eventIdAt({ time: blockTime, block: n }),
    kind,
    blockNumber: BigInt(n),
    blockTime,
    txHash: `0x${`${n}`.padStart(64, "0")}`,
    logIndex: 0,
    part: 0,
    args: {},
    committed: kind === "subscribed" ? amount : kind === "refunded" ? -1n : null,
    refunded: kind === "refunded" ? amount : null,
    repaidPrincipal: kind === "repaid" ? amount : null,
    repaidInterest: kind === "repaid" ? 3n : null,
    outstanding:
      kind === "drawn_down" ? amount : kind === "subscribed" || kind === "refunded" ? null : -amount,
  };
}

const all = Array.from({ length: ROWS }, (_, n) => rowOf(n));
const database = drizzle({ casing: "snake_case" });

beforeAll(async () => {
  for (const statement of LEDGER_TABLE) await database.$client.query(statement);
  await database.$client.query(INSERT_LEDGER, [rowsJson(all)]);
});

afterAll(() => database.$client.close());

const pairsOf = (ids: readonly number[]) =>
  ids.map((id) => ({ escrowAddress: ESCROW, onchainId: BigInt(id) }));
const EVERY = Array.from({ length: LISTINGS }, (_, index) => index + 1);

/** The plain sum. */
function expected(ids: readonly number[], since: bigint, until: bigint) {
  const own = all.filter(
    ({ onchainId, blockTime }) => ids.includes(Number(onchainId)) && blockTime >= since && blockTime <= until,
  );
  const sum = (rows: readonly Row[], amountOf: (row: Row) => bigint | null) =>
    rows.reduce((total, row) => total + (amountOf(row) ?? 0n), 0n);
  const of = (kind: EventKind) => own.filter((row) => row.kind === kind);
  return {
    events: own.length,
    byKind: Object.fromEntries(
      KINDS.map((kind) => [kind, of(kind).length] as const).filter(([, count]) => count > 0),
    ),
    committed: sum(own, ({ kind, committed }) => (kind === "refunded" ? null : committed)),
    withdrawn: sum(own, ({ kind, committed }) => (kind === "refunded" && committed ? -committed : null)),
    refunded: sum(own, (row) => row.refunded),
    drawn: sum(of("drawn_down"), (row) => row.outstanding),
    repaidPrincipal: sum(own, (row) => row.repaidPrincipal),
    repaidInterest: sum(own, (row) => row.repaidInterest),
  };
}

describe("the sums of a span", () => {
  const spans: [bigint, bigint][] = [
    [0n, FIRST + 10_000n],
    [FIRST + 100n, FIRST + 100n],
    [FIRST + 17n, FIRST + 1_000n],
    [FIRST + 1_499n, FIRST + 1_499n],
    [FIRST + 5_000n, FIRST + 6_000n],
    [FIRST + 20n, FIRST + 10n],
  ];
  test.each(spans)("from %s to %s are those of the rows", async (since, until) => {
    const reader = createLedgerQueries({
      database: database as unknown as Database,
      tables,
      blockTimes: { of: async () => null },
    });
    for (const ids of [[1], [3, 4, 59], EVERY.slice(0, 51), EVERY, []]) {
      const listings = setOf(pairsOf(ids));
      const found = await reader.sums(listings, { since: { time: since }, until: { time: until } });
      if (typeof found === "string") throw new Error(found);
      expect(found.cutAt).toBeNull();
      expect(activityOf(found.rows, listings)).toEqual(expected(ids, since, until));
    }
  });

  test("are those of the newest seconds where more happened than is summed", async () => {
    const span = { since: { time: 0n }, until: { time: FIRST + 999n } };
    const tx = database as unknown as ReadonlyDrizzle;
    for (const [ids, most] of [
      [EVERY, 25],
      [[1, 2], 5],
      [EVERY, 1],
    ] as const) {
      const listings = setOf(pairsOf(ids));
      const { rows, cutAt } = await readSums(tx, tables.ledger, listings, span, most);
      if (cutAt === null) throw new Error("it is cut");
      const sums: readonly ListingKindSums[] = rows;
      expect(activityOf(sums, listings)).toEqual(expected(ids, cutAt + 1n, FIRST + 999n));
      expect(activityOf(sums, listings).events).toBeLessThanOrEqual(most);
    }
  });
});
