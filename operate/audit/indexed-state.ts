/** @module The indexer's tables: every row at one block, and the same tables folded from the ledger alone. */
import { drizzle } from "drizzle-orm/node-postgres";
import { asc, eq, gt, type ReadonlyDrizzle } from "ponder";
import type { Hex } from "viem";
import { type Database, ONE_SNAPSHOT, readCheckpoint } from "../../api/database/checkpoint.ts";
import type { Completeness } from "../../config/completeness.ts";
import { postgresClientOf } from "../../config/postgres-client.ts";
import type * as schema from "../../ponder.schema.ts";
import { blockOf, EVENT_ID_PATTERN } from "../../src/fold/event-id.ts";
import type { Block } from "../../src/fold/events.ts";
import { createTables, DROPPED, type MemoryTables, runStep } from "../../src/fold/memory.ts";
import type { HolderRow, MoneyDeltas } from "../../src/fold/state.ts";
import { deltasOf, type RowOf, replayRow, type Step } from "../../src/fold/step.ts";
import type { AnomalyKind } from "../../src/fold/vocabulary.ts";
import type { Comparison } from "./comparison.ts";
import { createLedgerOrder, isOfLedger, type LastEvent } from "./ledger-order.ts";

/** Ledger rows per query. */
const PAGE_SIZE = 2000;

/** The tables that are derived from the ledger. */
const FROM_THE_LEDGER = [
  "listing",
  "backerPosition",
  "listingToken",
  "offer",
  "trade",
  "subscription",
  "refund",
  "repayment",
  "anomaly",
] as const;

export type ReplayedTables = { [Name in (typeof FROM_THE_LEDGER)[number]]: RowOf<Name>[] };

export type IndexedState = {
  /** the last indexed block; all rows are as of it */
  head: Block;
  /** whether the backfill is over */
  backfilled: boolean;
  /** what is proven of the logs; null where the indexer has not said so */
  completeness: Completeness | null;
  /** the last event that changed a row, with what the tables say of its block's hash; null in empty tables */
  lastEvent: { eventId: string; blockHashes: Hex[] } | null;
  /** number of ledger rows */
  events: number;
  /** the ledger's order, deltas and number of rows, checked */
  order: Comparison;
  /** the tables derived from the ledger, as stored */
  tables: ReplayedTables;
  /** the same tables, folded from the ledger alone */
  replayed: ReplayedTables;
  holders: HolderRow[];
};

/**
 * Reads everything in one transaction; null before the first checkpoint.
 * @param unknowable anomalies that the contracts' logs cannot show
 */
export async function readIndexedState(
  db: Pick<Database, "transaction">,
  tables: typeof schema,
  unknowable?: ReadonlySet<AnomalyKind>,
): Promise<IndexedState | null> {
  return db.transaction(async (tx) => {
    const checkpoint = await readCheckpoint(tx);
    if (checkpoint === null) return null;
    const tallies = await tx.select().from(tables.tally);
    const order = createLedgerOrder();
    const replay = createTables({ ledger: DROPPED });
    let events = 0;
    for await (const { row, blockHash } of ledgerRows(tx, tables)) {
      order.add(row, { deltas: folded(replay, replayRow(row, unknowable)), blockHash });
      events += 1;
    }
    return {
      head: checkpoint.head,
      backfilled: checkpoint.backfilled,
      completeness: checkpoint.completeness,
      lastEvent: lastOf(
        [
          ...order.last(),
          ...tallies
            .filter(({ family }) => !isOfLedger(family))
            .map(({ lastEventId: eventId, lastBlockHash: blockHash }) => ({ eventId, blockHash })),
        ],
        checkpoint.head,
      ),
      events,
      order: order.compare(tallies),
      tables: await inOrder(async (table) => tx.select().from(tables[table])),
      replayed: await inOrder(async (table) => [...replay[table].values()]),
      holders: await tx.select().from(tables.tokenHolder),
    };
  }, ONE_SNAPSHOT);
}

/** The deltas of an event; null if its row cannot be folded, which changes no table. */
function folded(replay: MemoryTables, step: Step): MoneyDeltas | null {
  try {
    return deltasOf(runStep(replay, step));
  } catch {
    return null;
  }
}

const EVENT_ID = new RegExp(`^${EVENT_ID_PATTERN}$`);

/** The last of the events up to the head. Ids that were tampered with are findings, and cannot be asked for. */
function lastOf(events: readonly LastEvent[], head: Block): IndexedState["lastEvent"] {
  const possible = events.filter(
    ({ eventId }) => EVENT_ID.test(eventId) && blockOf(eventId).number <= head.number,
  );
  const [last] = possible
    .map(({ eventId }) => eventId)
    .sort()
    .reverse();
  if (last === undefined) return null;
  const ofLast = possible.filter(({ eventId }) => eventId === last);
  return { eventId: last, blockHashes: ofLast.flatMap(({ blockHash }) => blockHash ?? []) };
}

async function inOrder(rowsOf: (table: keyof ReplayedTables) => Promise<object[]>): Promise<ReplayedTables> {
  const rows: Partial<Record<keyof ReplayedTables, object[]>> = {};
  for (const table of FROM_THE_LEDGER) rows[table] = await rowsOf(table);
  return rows as ReplayedTables;
}

/** A row with the hash that is stored of its block; null if none is. */
type StoredLedgerRow = { row: typeof schema.ledger.$inferSelect; blockHash: Hex | null };

/** The whole ledger by event id, a page at a time, so that it is never all in memory. */
export async function* ledgerRows(
  tx: ReadonlyDrizzle,
  { ledger, eventBlock }: Pick<typeof schema, "ledger" | "eventBlock">,
): AsyncGenerator<StoredLedgerRow> {
  let last = "";
  for (;;) {
    const all = tx.select({ row: ledger, blockHash: eventBlock.hash }).from(ledger);
    const later = all
      .leftJoin(eventBlock, eq(eventBlock.number, ledger.blockNumber))
      .where(gt(ledger.eventId, last));
    const rows = await later.orderBy(asc(ledger.eventId)).limit(PAGE_SIZE);
    yield* rows;
    const end = rows.at(-1);
    if (end === undefined || rows.length < PAGE_SIZE) return;
    last = end.row.eventId;
  }
}

export type TableConnection = { database: Pick<Database, "transaction">; end(): Promise<void> };

/** Connects read-only to the indexer's schema. Rejects if the database or the schema does not exist. */
export async function connectTables(connectionString: string, schema: string): Promise<TableConnection> {
  const client = postgresClientOf(connectionString, 10_000, { query_timeout: 0 });
  await client.connect();
  const text = "SELECT 1 FROM information_schema.schemata WHERE schema_name = $1";
  const { rows } = await client.query(text, [schema]);
  if (rows.length === 0) {
    await client.end();
    const name = JSON.stringify(schema);
    throw new Error(`the database has no schema ${name}: nothing has been indexed into it yet`);
  }
  await client.query(`SET search_path TO ${client.escapeIdentifier(schema)}`);
  await client.query("SET default_transaction_read_only TO on");
  // Ponder's own reader has the same type, from another build of the same library.
  return { database: drizzle(client) as unknown as Pick<Database, "transaction">, end: () => client.end() };
}
