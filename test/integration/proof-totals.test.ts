/**
 * The totals of raises without running totals, as the database adds them up: against plain sums, and up to the number of events
 * that a proof names.
 */
import { drizzle } from "drizzle-orm/pglite";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../api/database/checkpoint.ts";
import { createProofQueries } from "../../api/proof/read.ts";
import { type DerivedTotal, MOST_EVENTS, type MoneyRow, type TotalName } from "../../api/proof/totals.ts";
import * as tables from "../../ponder.schema.ts";
import { NO_DELTAS } from "../../src/fold/state.ts";
import type { EventKind } from "../../src/fold/vocabulary.ts";
import { ALICE, ESCROW } from "../harness/book.ts";
import { eventIdAt, INSERT_LEDGER, LEDGER_TABLE, rowsJson } from "../harness/ledger-table.ts";

const database = drizzle({ casing: "snake_case" });
const REASONS = ["posted", "posted", "applied", "released", "unknown_7"];

const LISTING_TABLE = `CREATE TABLE listing (
  escrow_address text, onchain_id numeric(78), raised_amount numeric(78), refunded_amount numeric(78),
  outstanding_principal numeric(78), drawn_down_at numeric(78), terminal_kind text, updated_block numeric(78))`;

let place = 0;
/** The next event of a raise, as a module without running totals maps it. */
function rowOf(onchainId: bigint, kind: EventKind, args: object, deltas: object = {}): MoneyRow {
  const n = ++place;
  const blockTime = 1_700_000_000n + BigInt(n);
  return {
    ...{ escrowAddress: ESCROW, onchainId, kind, args: { ...args }, ...NO_DELTAS, ...deltas },
    ...{ blockNumber: BigInt(n), blockTime, txHash: `0x${`${n}`.padStart(64, "0")}`, logIndex: 0, part: 0 },
    eventId: eventIdAt({ time: blockTime, block: n }),
  };
}

/** As many events of each kind. */
function raise(onchainId: bigint, count: number): MoneyRow[] {
  return Array.from({ length: count }, (_, index) => BigInt(index + 1)).flatMap((amount) => {
    const text = { amount: `${amount}` };
    return [
      rowOf(onchainId, "subscribed", { ...text, backer: ALICE, totalRaised: null }, { committed: amount }),
      rowOf(onchainId, "refunded", { ...text, reason: "voided", totalRefunded: null }, { refunded: amount }),
      rowOf(onchainId, "reserve_changed", {
        ...{ ...text, reserveBalance: null },
        reason: REASONS[Number(amount) % REASONS.length],
      }),
      rowOf(onchainId, "payout_claimed", { ...text, totalClaimed: null }),
    ];
  });
}

const FEW = 300;
const few = raise(1n, FEW);
const many = raise(2n, MOST_EVENTS + 5);
/** An early event carries a total, later ones do not. */
const mixed = [
  rowOf(3n, "payout_claimed", { amount: "5", totalClaimed: "70" }),
  rowOf(3n, "payout_claimed", { amount: "6", totalClaimed: null }),
];

beforeAll(async () => {
  for (const statement of [...LEDGER_TABLE, LISTING_TABLE]) await database.$client.query(statement);
  await database.$client.query(INSERT_LEDGER, [rowsJson([...few, ...many, ...mixed])]);
});
afterAll(() => database.$client.close());

async function totalsOf(onchainId: bigint): Promise<Record<TotalName, DerivedTotal>> {
  const queries = createProofQueries({ database: database as unknown as Database, tables });
  const found = await queries.totalsOf({ escrowAddress: ESCROW, onchainId });
  if (typeof found === "string") throw new Error(found);
  return found.totals;
}

/** The figures, added up without a database. */
function sumsOf(rows: readonly MoneyRow[]) {
  const sum = (kind: EventKind, signOf: (reason: unknown) => bigint = () => 1n) =>
    rows
      .filter((row) => row.kind === kind)
      .reduce((total, { args }) => total + signOf(args.reason) * BigInt(`${args.amount}`), 0n);
  const sign = (reason: unknown) => (reason === "posted" ? 1n : reason === "unknown_7" ? 0n : -1n);
  return {
    ...{
      raisedAmount: sum("subscribed"),
      refundedAmount: sum("refunded"),
      claimedAmount: sum("payout_claimed"),
    },
    reserveBalance: sum("reserve_changed", sign),
  };
}

test("events beyond those that are searched for a total are named", async () => {
  const totals = await totalsOf(1n);
  for (const [name, value] of Object.entries(sumsOf(few))) {
    const total = totals[name as TotalName];
    expect([name, total.value, total.source, total.unexplained]).toEqual([
      name,
      value < 0n ? 0n : value,
      null,
      null,
    ]);
  }
  expect(totals.claimedAmount.parts).toHaveLength(FEW);
  expect(totals.claimedAmount.parts?.map(({ amount }) => amount)).toEqual(
    Array.from({ length: FEW }, (_, index) => BigInt(index + 1)),
  );
});

test("more events than a proof names: the figure is right, and the reason is said", async () => {
  const totals = await totalsOf(2n);
  for (const [name, value] of Object.entries(sumsOf(many))) {
    const total = totals[name as TotalName];
    expect([name, total.value, total.parts, total.unexplained]).toEqual([
      name,
      value,
      null,
      "too_many_events",
    ]);
  }
});

test("where only an early event carries a total, later ones add to it", async () => {
  const { claimedAmount } = await totalsOf(3n);
  expect(claimedAmount).toMatchObject({
    value: 76n,
    field: "totalClaimed",
    parts: [{ amount: 6n, sign: "+" }],
  });
});
