/**
 * Reads the tables: the only place of the API that does, and it never writes.
 * @module
 */
import { count, type ReadonlyDrizzle, sql } from "ponder";
import type * as schema from "../../ponder.schema.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import type { AnomalyKind } from "../../src/fold/vocabulary.ts";
import type { Head } from "../market/project.ts";

/** The rows at one block, all of one transaction. */
export type TableSnapshot = {
  /** the last indexed block */
  head: Head;
  /** whether the backfill is over; not yet that the head of the chain is reached */
  backfilled: boolean;
  /** changes whenever a row does, by a revert or by another event in the same place too */
  revision: string;
  listings: readonly ListingRow[];
  anomalies: Readonly<Partial<Record<AnomalyKind, number>>>;
};

/** What the reader needs of Ponder's database. Ponder leaves `transaction` out of its read-only type. */
export type Database = {
  transaction<Result>(
    read: (tx: ReadonlyDrizzle) => Promise<Result>,
    config?: { isolationLevel: "repeatable read"; accessMode: "read only" },
  ): Promise<Result>;
};

export type Tables = Pick<typeof schema, "listing" | "anomaly" | "tally">;

const ONE_SNAPSHOT = { isolationLevel: "repeatable read", accessMode: "read only" } as const;

/**
 * The rows at the last indexed block; null before Ponder's first checkpoint. Rows that have not changed since
 * `previous` are taken from it.
 */
export async function readTables(
  db: Database,
  tables: Tables,
  previous: TableSnapshot | null,
): Promise<TableSnapshot | null> {
  return db.transaction(async (tx) => {
    // After a restart Ponder takes the rows back to the safe block at once, and mends the latest checkpoint only when
    // it is ready: until then the safe one says what the rows are as of.
    const progress = await tx.execute<{ checkpoint: string; backfilled: boolean }>(sql`
      SELECT ready AS backfilled,
        CASE WHEN ready THEN latest_checkpoint ELSE safe_checkpoint END AS checkpoint
      FROM _ponder_checkpoint,
        (SELECT (value ->> 'is_ready') = '1' AS ready FROM _ponder_meta WHERE key = 'app') AS app`);
    const row = progress.rows[0];
    const head = row === undefined ? null : headOf(row.checkpoint);
    if (row === undefined || head === null) return null;

    const [counted] = await tx.select().from(tables.tally);
    const revision =
      counted === undefined ? "" : `${counted.events}/${counted.lastEventId}/${counted.lastBlockHash}`;
    if (previous !== null && previous.revision === revision)
      return { ...previous, head, backfilled: row.backfilled };

    const listings = await tx.select().from(tables.listing);
    const anomalies = await tx
      .select({ kind: tables.anomaly.kind, count: count() })
      .from(tables.anomaly)
      .groupBy(tables.anomaly.kind);
    return {
      head,
      backfilled: row.backfilled,
      revision,
      listings,
      anomalies: Object.fromEntries(anomalies.map(({ kind, count }) => [kind, count])),
    };
  }, ONE_SNAPSHOT);
}

/**
 * The block that a checkpoint names: Ponder writes ten digits of unix seconds, sixteen of the chain id and
 * sixteen of the block number. Null for the zero checkpoint, which stands for "nothing yet".
 */
function headOf(checkpoint: string): Head | null {
  const timestamp = BigInt(checkpoint.slice(0, 10));
  const number = BigInt(checkpoint.slice(26, 42));
  return timestamp === 0n ? null : { number, timestamp };
}
