/** @module Compares the tables with a fold of the ledger, row by row and column by column. Pure. */
import { setImmediate } from "node:timers/promises";
import canonicalize from "canonicalize";
import { PERSONS } from "../../src/fold/event-kinds.ts";
import { type Comparison, createComparison, personIn } from "./comparison.ts";
import type { IndexedState, ReplayedTables } from "./indexed-state.ts";

type Row = Readonly<Record<string, unknown>>;

/** Each table's name in the database and its primary key. */
const TABLES = {
  listing: { name: "listing", key: ["escrowAddress", "onchainId"] },
  backerPosition: { name: "backer_position", key: ["escrowAddress", "onchainId", "backer"] },
  listingToken: { name: "listing_token", key: ["token"] },
  offer: { name: "offer", key: ["desk", "offerId"] },
  trade: { name: "trade", key: ["eventId"] },
  subscription: { name: "subscription", key: ["escrowAddress", "onchainId", "eventId"] },
  refund: { name: "refund", key: ["escrowAddress", "onchainId", "eventId"] },
  repayment: { name: "repayment", key: ["escrowAddress", "onchainId", "eventId"] },
  anomaly: { name: "anomaly", key: ["escrowAddress", "onchainId", "eventId", "kind"] },
} as const satisfies Record<keyof ReplayedTables, { name: string; key: readonly string[] }>;

/** Transfers are not in the ledger: their results are compared with the balances and the chain instead. */
const NOT_FROM_THE_LEDGER = new Set(["listing_token.holderCount", "listing_token.updatedBlock"]);

/** Rows between yields to the event loop: inside the service, an audit must not delay requests. */
const ROWS_PER_TURN = 500;

/** @param namesPersons whether findings include the addresses of persons */
export async function compareWithLedger(
  { tables, replayed }: Pick<IndexedState, "tables" | "replayed">,
  { namesPersons }: { namesPersons: boolean },
): Promise<Comparison> {
  const comparison = createComparison();
  for (const [table, { name, key }] of Object.entries(TABLES)) {
    const rowsOf = (of: ReplayedTables) =>
      byKey((of[table as keyof ReplayedTables] as Row[]).filter(isFromTheLedger), key);
    const [expected, found] = [rowsOf(replayed), rowsOf(tables)];
    const keys = [...new Set([...expected.keys(), ...found.keys()])].sort();
    const rows = keys.map((rowKey) => expected.get(rowKey) ?? found.get(rowKey));
    const numbers = table === "backerPosition" ? numberBackers(rows) : [];
    for (const [index, rowKey] of keys.entries()) {
      if (index % ROWS_PER_TURN === ROWS_PER_TURN - 1) await setImmediate();
      const pair = { expected: expected.get(rowKey), found: found.get(rowKey) };
      compareRows(comparison, { ...pair, table: name, number: numbers[index] ?? "", namesPersons });
    }
  }
  return comparison;
}

type RowPair = {
  table: string;
  expected: Row | undefined;
  found: Row | undefined;
  /** the backer's number within the listing */
  number: string;
  namesPersons: boolean;
};

function compareRows(
  { compare }: Comparison,
  { table, expected, found, number, namesPersons }: RowPair,
): void {
  const row = expected ?? found;
  if (row === undefined) return;
  const onchainId = row.onchainId as bigint;
  const where = { check: "refold" as const, escrowAddress: String(row.escrowAddress), onchainId };
  const which = keyOfRow(row, personIn("backer", String(row.backer), { number, namesPersons }));
  if (expected === undefined || found === undefined) {
    const is = (one: Row | undefined) => (one === undefined ? "no row" : "a row");
    compare({ ...where, field: `${table} ${which}` }, is(expected), is(found));
    return;
  }
  for (const column of Object.keys(expected)) {
    if (NOT_FROM_THE_LEDGER.has(`${table}.${column}`)) continue;
    const field = table === "listing" ? column : `${table}.${column} ${which}`;
    const [was, is] = [text(expected[column]), text(found[column])];
    if (was !== is && PERSONS.includes(column) && !namesPersons) {
      compare({ ...where, field }, "an address", "another address");
    } else compare({ ...where, field }, was, is);
  }
}

/** Each row's number within its listing, by address: "3 of 12". */
function numberBackers(rows: readonly (Row | undefined)[]): string[] {
  const keyOf = (row: Row | undefined) => `${row?.escrowAddress}/${row?.onchainId}`;
  const totals = new Map<string, number>();
  const numbers = rows.map((row) => {
    const number = (totals.get(keyOf(row)) ?? 0) + 1;
    totals.set(keyOf(row), number);
    return number;
  });
  return rows.map((row, index) => `${numbers[index]} of ${totals.get(keyOf(row))}`);
}

/** A transfer's anomaly has no ledger row. */
function isFromTheLedger(row: Row): boolean {
  return row.eventKind !== "transfer";
}

function byKey(rows: readonly Row[], key: readonly string[]): Map<string, Row> {
  return new Map(rows.map((row) => [key.map((column) => text(row[column])).join("/"), row]));
}

/** Identifies a row by its event, offer or token, or by the backer's number. */
function keyOfRow({ eventId, offerId, token }: Row, backer: string): string {
  if (eventId !== undefined) return `of event ${String(eventId)}`;
  if (offerId !== undefined) return `of offer ${String(offerId)}`;
  return token === undefined ? `of ${backer}` : `of token ${String(token)}`;
}

function text(value: unknown): string {
  if (value === null || value === undefined) return "null";
  return typeof value === "object" ? (canonicalize(value) ?? "null") : String(value);
}
