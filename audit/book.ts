/**
 * The tables as an audit sees them: every row at one block, and what the ledger alone folds into.
 * @module
 */
import { asc, gt, type ReadonlyDrizzle } from "ponder";
import { type Database, ONE_SNAPSHOT, readCheckpoint } from "../api/database/checkpoint.ts";
import type * as schema from "../ponder.schema.ts";
import type { Block } from "../src/fold/events.ts";
import { createReplay, type ReplayedTables } from "../src/fold/replay.ts";
import type { HolderRow } from "../src/fold/state.ts";
import type { Comparison } from "./comparison.ts";
import { createLedgerOrder, type LedgerOrder } from "./ledger-order.ts";

/** Rows of the ledger that are read at a time. */
const CHUNK = 2000;

export type Book = {
  /** the last indexed block: what all rows are as of */
  head: Block;
  /** whether the first filling of the tables is over */
  backfilled: boolean;
  /** the last event that changed a row; null in an empty book */
  lastEvent: { eventId: string; blockHash: string } | null;
  /** how many rows the ledger has */
  events: number;
  /** what is wrong with the ledger's own order, deltas and number of rows */
  order: Comparison;
  /** every table that follows from the ledger, as it stands */
  tables: ReplayedTables;
  /** the same, folded from the ledger alone */
  replayed: ReplayedTables;
  holders: HolderRow[];
};

/** Reads everything in one transaction; null before the first checkpoint. */
export async function readBook(db: Database, tables: typeof schema): Promise<Book | null> {
  return db.transaction(async (tx) => {
    const progress = await readCheckpoint(tx);
    if (progress === null) return null;
    const tallies = await tx.select().from(tables.tally);
    const last = tallies.toSorted((a, b) => (a.lastEventId < b.lastEventId ? -1 : 1)).at(-1);
    const order = createLedgerOrder();
    const { replayed, events } = await replayLedger(tx, tables, order);
    return {
      head: progress.head,
      backfilled: progress.backfilled,
      lastEvent: last === undefined ? null : { eventId: last.lastEventId, blockHash: last.lastBlockHash },
      events,
      order: order.compare(tallies),
      tables: {
        listings: await tx.select().from(tables.listing),
        positions: await tx.select().from(tables.backerPosition),
        tokens: await tx.select().from(tables.listingToken),
        offers: await tx.select().from(tables.offer),
        trades: await tx.select().from(tables.trade),
        subscriptions: await tx.select().from(tables.subscription),
        refunds: await tx.select().from(tables.refund),
        repayments: await tx.select().from(tables.repayment),
        anomalies: await tx.select().from(tables.anomaly),
      },
      replayed,
      holders: await tx.select().from(tables.tokenHolder),
    };
  }, ONE_SNAPSHOT);
}

/** Folds the whole ledger, a piece at a time: it is never held whole. */
async function replayLedger(
  tx: ReadonlyDrizzle,
  { ledger }: typeof schema,
  order: LedgerOrder,
): Promise<{ replayed: ReplayedTables; events: number }> {
  const replay = createReplay();
  let events = 0;
  let last = "";
  for (;;) {
    const rows = await tx
      .select()
      .from(ledger)
      .where(gt(ledger.eventId, last))
      .orderBy(asc(ledger.eventId))
      .limit(CHUNK);
    for (const row of rows) {
      order.add(row, replay.add(row));
    }
    events += rows.length;
    const end = rows.at(-1);
    if (end === undefined || rows.length < CHUNK) return { replayed: replay.tables(), events };
    last = end.eventId;
  }
}
