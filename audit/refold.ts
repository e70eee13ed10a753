/**
 * The tables against a fold of the ledger: each row and each column. Pure.
 * @module
 */
import { setImmediate } from "node:timers/promises";
import canonicalize from "canonicalize";
import type { ReplayedTables } from "../src/fold/replay.ts";
import type { Book } from "./book.ts";
import { type Comparison, createComparison } from "./finding.ts";

type Row = Readonly<Record<string, unknown>>;

/** Each table by the name it has in the database, and the columns that tell its rows apart. */
const TABLES = {
  listings: { name: "listing", key: ["escrowAddress", "onchainId"] },
  positions: { name: "backer_position", key: ["escrowAddress", "onchainId", "backer"] },
  tokens: { name: "listing_token", key: ["token"] },
  offers: { name: "offer", key: ["desk", "offerId"] },
  trades: { name: "trade", key: ["eventId"] },
  subscriptions: { name: "subscription", key: ["escrowAddress", "onchainId", "eventId"] },
  refunds: { name: "refund", key: ["escrowAddress", "onchainId", "eventId"] },
  repayments: { name: "repayment", key: ["escrowAddress", "onchainId", "eventId"] },
  anomalies: { name: "anomaly", key: ["escrowAddress", "onchainId", "eventId", "kind"] },
} as const satisfies Record<keyof ReplayedTables, { name: string; key: readonly string[] }>;

/** Transfers are in no ledger: what comes of them is held against the balances and the chain instead. */
const NOT_FROM_THE_LEDGER = new Set(["listing_token.holderCount"]);

/** Rows after which others have their turn: inside the service, answers must not wait for an audit. */
const BREATH = 500;

/** Where the tables are not what the ledger folds into. */
export async function compareWithLedger({
  tables,
  replayed,
}: Pick<Book, "tables" | "replayed">): Promise<Comparison> {
  const comparison = createComparison();
  for (const [table, { name, key }] of Object.entries(TABLES)) {
    const rowsOf = (of: ReplayedTables) =>
      byKey((of[table as keyof ReplayedTables] as Row[]).filter(isFromTheLedger), key);
    const [expected, found] = [rowsOf(replayed), rowsOf(tables)];
    const keys = [...new Set([...expected.keys(), ...found.keys()])].sort();
    for (const [index, rowKey] of keys.entries()) {
      if (index % BREATH === BREATH - 1) await setImmediate();
      compareRows(comparison, name, expected.get(rowKey), found.get(rowKey));
    }
  }
  return comparison;
}

function compareRows(
  { compare }: Comparison,
  table: string,
  expected: Row | undefined,
  found: Row | undefined,
): void {
  const row = expected ?? found;
  if (row === undefined) return;
  const where = {
    check: "refold" as const,
    escrowAddress: String(row.escrowAddress),
    onchainId: row.onchainId as bigint,
  };
  if (expected === undefined || found === undefined) {
    const is = (one: Row | undefined) => (one === undefined ? "no row" : "a row");
    compare({ ...where, field: `${table} ${keyOfRow(row)}` }, is(expected), is(found));
    return;
  }
  for (const column of Object.keys(expected)) {
    if (NOT_FROM_THE_LEDGER.has(`${table}.${column}`)) continue;
    const field = table === "listing" ? column : `${table}.${column} ${keyOfRow(row)}`;
    compare({ ...where, field }, text(expected[column]), text(found[column]));
  }
}

/** A transfer that did not add up is an anomaly of no ledger row. */
function isFromTheLedger(row: Row): boolean {
  return row.eventKind !== "transfer";
}

function byKey(rows: readonly Row[], key: readonly string[]): Map<string, Row> {
  return new Map(rows.map((row) => [key.map((column) => text(row[column])).join("/"), row]));
}

/** What tells a row from its neighbours, without the address of a person: an event, an offer, or nothing. */
function keyOfRow({ eventId, offerId, token }: Row): string {
  if (eventId !== undefined) return `of event ${String(eventId)}`;
  if (offerId !== undefined) return `of offer ${String(offerId)}`;
  return token === undefined ? "of a backer" : `of token ${String(token)}`;
}

function text(value: unknown): string {
  if (value === null || value === undefined) return "null";
  return typeof value === "object" ? (canonicalize(value) ?? "null") : String(value);
}
