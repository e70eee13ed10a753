/**
 * How far the indexer is: Ponder's checkpoint, read in the same transaction as the rows that it stands for.
 * @module
 */
import { type ReadonlyDrizzle, sql } from "ponder";
import { blockOf } from "../../src/fold/event-id.ts";
import type { Block } from "../../src/fold/events.ts";

export type Checkpoint = {
  /** the last indexed block */
  head: Block;
  /** up to this block no reorg changes anything any more; block 0 when there is none yet */
  finalized: Block;
  /** whether the backfill is over; not yet that the head of the chain is reached */
  backfilled: boolean;
};

/** What a reader needs of Ponder's database. Ponder leaves `transaction` out of its read-only type. */
export type Database = {
  transaction<Result>(
    read: (tx: ReadonlyDrizzle) => Promise<Result>,
    config?: { isolationLevel: "repeatable read"; accessMode: "read only" },
  ): Promise<Result>;
};

/** The database did not answer in time, or cannot be reached. The message is for the log alone. */
export class DatabaseSilentError extends Error {
  override readonly name = "DatabaseSilentError";
}

/** All rows of one transaction are of one block. */
export const ONE_SNAPSHOT = { isolationLevel: "repeatable read", accessMode: "read only" } as const;

/** How far the rows of this transaction are; null before Ponder's first checkpoint. */
export async function readCheckpoint(tx: Pick<ReadonlyDrizzle, "execute">): Promise<Checkpoint | null> {
  // After a restart Ponder takes the rows back to the safe block at once, and mends the latest checkpoint only when
  // it is ready: until then the safe one says what the rows are as of.
  const { rows } = await tx.execute<{ checkpoint: string; finalized: string; backfilled: boolean }>(sql`
    SELECT ready AS backfilled, finalized_checkpoint AS finalized,
      CASE WHEN ready THEN latest_checkpoint ELSE safe_checkpoint END AS checkpoint
    FROM _ponder_checkpoint,
      (SELECT (value ->> 'is_ready') = '1' AS ready FROM _ponder_meta WHERE key = 'app') AS app`);
  const [row] = rows;
  if (row === undefined) return null;
  const head = blockOf(row.checkpoint);
  // The zero checkpoint: nothing yet.
  if (head.timestamp === 0n) return null;
  return { head, finalized: blockOf(row.finalized), backfilled: row.backfilled };
}
