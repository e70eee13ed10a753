/** @module The indexer's position: Ponder's checkpoint, read in the same transaction as the rows. */
import type { SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { type ReadonlyDrizzle, sql } from "ponder";
import { COMPLETENESS_COLUMN, type Completeness } from "../../config/completeness.ts";
import {
  AGREED_COLUMN,
  DISPUTED_COLUMN,
  FAST_FORWARD_TABLE,
  FINAL_COLUMN,
  FINALITY_COLUMN,
  type FinalitySource,
  REVERTED_COLUMN,
  REVERTS_COLUMN,
} from "../../config/table-names.ts";
import { blockOf } from "../../src/fold/event-id.ts";
import type { Block } from "../../src/fold/events.ts";
import type { TableFamily } from "../../src/fold/vocabulary.ts";

export type Checkpoint = {
  /** the last indexed block */
  head: Block;
  /** blocks up to this one are served as final, which are proven where that is wanted; block 0 before the first */
  finalized: Block;
  /** where it comes from; null until the indexer says */
  finality: FinalitySource | null;
  /** the indexer follows no reorg of this block; later than `finalized` while endpoints do not agree on it, and earlier by depth */
  irreversible: Block;
  /** the first block that the endpoints disagree on; null while they do not */
  disputed: bigint | null;
  /** what is proven of the logs; null where the indexer has not said so yet */
  completeness: Completeness | null;
  /** whether the backfill is over; the head of the chain may still be ahead */
  backfilled: boolean;
  /** whether the tables have the whole history; before the backfill is over their indexes may be missing */
  filled: boolean;
  /** whether a reorg has reverted rows and the next block is still missing: until then the head is the last event's block */
  isReverted: boolean;
  /** number of reverts: positions with the same number differ only by added rows; null where reverts are not counted */
  reverts: number | null;
  /** names the indexing process and its machine, so it differs after a restart; null while it starts, and where it is the one that answers */
  indexer: string | null;
  /** changes with every change to a family's rows, including reverts and replaced events */
  revisions: Readonly<Partial<Record<TableFamily, string>>>;
  /** the last event that changed a row; null in empty tables */
  lastEvent: { eventId: string; blockHash: string } | null;
};

/** The part of Ponder's database that readers use. Ponder's read-only type lacks `transaction`. */
export type Database = {
  transaction<Result>(
    read: (tx: ReadonlyDrizzle) => Promise<Result>,
    config?: { isolationLevel: "repeatable read"; accessMode: "read only" },
  ): Promise<Result>;
  /** Runs a single statement, whose rows are all of one block; prepared under its name where that saves work. */
  statement<Row extends object>(name: string, query: SQL): Promise<Row[]>;
};

/** The database did not answer in time or is unreachable. The message is for the log only. */
export class DatabaseSilentError extends Error {
  override readonly name = "DatabaseSilentError";
}

/** Before the first. */
const NO_BLOCK: Block = { number: 0n, timestamp: 0n };

/** With this all rows of a transaction are of the same block. */
export const ONE_SNAPSHOT = { isolationLevel: "repeatable read", accessMode: "read only" } as const;

type TallyRow = { family: TableFamily; events: number; last_event_id: string; last_block_hash: string };

export type CheckpointRow = {
  checkpoint: string;
  finalized: string;
  finality: FinalitySource | null;
  irreversible: string;
  disputed: string | null;
  completeness: Completeness | null;
  /** the first event of a block that is not proven; null where every event is, or nothing is proven */
  unproven: string | null;
  backfilled: boolean;
  /** whether the history was written at once (`backfill/tables.ts`) */
  written: boolean;
  reverted: boolean | null;
  reverts: string | null;
  indexer: string | null;
  tallies: TallyRow[] | null;
};

const FINAL = sql.raw(FINAL_COLUMN);
const COMPLETENESS = sql.raw(COMPLETENESS_COLUMN);
/** The last event that is proven. */
const PROVEN_UP_TO = sql`COALESCE(own -> '${COMPLETENESS}' ->> 'upTo', '')`;

/**
 * Ponder's position. After a restart Ponder reverts the rows to the safe block at once, but corrects the latest checkpoint only
 * when it is ready: until then the safe one applies. By depth, rows can be final that Ponder still indexes again after a restart:
 * until it has, the backfill is not over. Our own columns (`backfill/{reverts,agreement,completeness}.ts`) may not be there yet. The ledger
 * is searched for what is not proven only if there is an event after what is: before its indexes are there, all of it would be read.
 */
export const CHECKPOINT = sql`
  SELECT ready AND latest_checkpoint >= COALESCE(own ->> '${FINAL}', '') AS backfilled,
    to_regclass('${sql.raw(FAST_FORWARD_TABLE)}') IS NOT NULL AS written, finalized_checkpoint AS irreversible, own ->> '${sql.raw(FINALITY_COLUMN)}' AS finality,
    LEAST(GREATEST(finalized_checkpoint, own ->> '${FINAL}'), own ->> '${sql.raw(AGREED_COLUMN)}') AS finalized,
    own ->> '${sql.raw(DISPUTED_COLUMN)}' AS disputed,
    NULLIF(own -> '${COMPLETENESS}', 'null') AS completeness,
    CASE WHEN own -> '${COMPLETENESS}' ->> 'mode' <> 'none' AND (SELECT max(last_event_id) FROM tally) > ${PROVEN_UP_TO}
      THEN (SELECT min(event_id) FROM ledger WHERE event_id > ${PROVEN_UP_TO}) END AS unproven,
    CASE WHEN ready THEN latest_checkpoint ELSE safe_checkpoint END AS checkpoint,
    ready AND own ->> '${sql.raw(REVERTED_COLUMN)}' = 'true' AS reverted,
    own ->> '${sql.raw(REVERTS_COLUMN)}' AS reverts, indexer,
    (SELECT json_agg(tally) FROM tally) AS tallies
  FROM _ponder_checkpoint, to_jsonb(_ponder_checkpoint) AS own,
    (SELECT (value ->> 'is_ready') = '1' AS ready, value ->> 'holder' AS indexer FROM _ponder_meta WHERE key = 'app') AS app`;

/** The same as text, for connections whose search path names the schema. */
export const CHECKPOINT_TEXT = new PgDialect({ casing: "snake_case" }).sqlToQuery(CHECKPOINT).sql;

/** Whether a query failed because the indexer has not created its table yet. */
export function isTableMissing(error: unknown): boolean {
  return (error as { code?: string }).code === "42P01";
}

/** The position of this transaction's rows; null before Ponder's first checkpoint. */
export async function readCheckpoint(tx: Pick<ReadonlyDrizzle, "execute">): Promise<Checkpoint | null> {
  const { rows } = await tx.execute<CheckpointRow>(CHECKPOINT);
  return toCheckpoint(rows[0]);
}

export function toCheckpoint(row: CheckpointRow | undefined): Checkpoint | null {
  if (row === undefined) return null;
  const head = blockOf(row.checkpoint);
  // The zero checkpoint: nothing yet.
  if (head.timestamp === 0n) return null;
  const tallies = row.tallies ?? [];
  const isReverted = row.reverted === true;
  const last = tallies.toSorted((a, b) => (a.last_event_id < b.last_event_id ? -1 : 1)).at(-1);
  return {
    // No block up to the last remaining event was reverted.
    head: isReverted && last !== undefined ? blockOf(last.last_event_id) : head,
    finalized: provenOf(row),
    finality: row.finality,
    irreversible: blockOf(row.irreversible),
    disputed: row.disputed === null ? null : BigInt(row.disputed),
    completeness: row.completeness,
    backfilled: row.backfilled,
    filled: row.backfilled || row.written,
    isReverted,
    reverts: row.reverts === null ? null : Number(row.reverts),
    indexer: row.indexer,
    revisions: Object.fromEntries(
      tallies.map(({ family, events, last_event_id, last_block_hash }) => [
        family,
        `${events}/${last_event_id}/${last_block_hash}`,
      ]),
    ),
    lastEvent: last === undefined ? null : { eventId: last.last_event_id, blockHash: last.last_block_hash },
  };
}

/**
 * An event is not final while its block is unproven, so the last final block is the one before it at most. With `possible`, a block without
 * our events may have lost its only log, so the last final block is the last checked one at most.
 */
function provenOf({ finalized, unproven, completeness }: CheckpointRow): Block {
  const final = blockOf(finalized);
  if (completeness?.mode === "possible") {
    const checked = completeness.upTo === null ? NO_BLOCK : blockOf(completeness.upTo);
    return checked.number < final.number ? checked : final;
  }
  if (unproven === null) return final;
  const { number, timestamp } = blockOf(unproven);
  // The block before may have the same time. All blocks with an earlier time are before the event's.
  return number > final.number ? final : { number: number - 1n, timestamp };
}

/** The last block whose rows stay as they are: no reorg takes them back, and none is missing. */
export function lastSettledOf({ irreversible, finalized }: Checkpoint): Block {
  return irreversible.number < finalized.number ? irreversible : finalized;
}

/** The revision of the ledger's rows alone. */
export function ledgerRevisionOf({ revisions }: Pick<Checkpoint, "revisions">): string {
  return `${revisions.listings} ${revisions.desk}`;
}

/** The number of the ledger's rows at a revision: each is an event of one of two families. */
export function ledgerRowsAt(ledgerRevision: string): number {
  return ledgerRevision.split(" ").reduce((sum, ofFamily) => sum + (Number.parseInt(ofFamily, 10) || 0), 0);
}
