/** @module Reads the ledger for a moment of the past, in short transactions: on the embedded database they hold up the indexer. */
import { and, asc, desc, gt, lt, lte } from "ponder";
import type { BlockOrTime } from "../../config/format/time.ts";
import type * as schema from "../../ponder.schema.ts";
import { firstEventIdAt } from "../../src/fold/event-id.ts";
import type { LedgerRow, StoredRow } from "../../src/fold/state.ts";
import { type BidRow, readBidRows } from "../database/bids.ts";
import {
  type Checkpoint,
  type Database,
  lastSettledOf,
  ONE_SNAPSHOT,
  readCheckpoint,
} from "../database/checkpoint.ts";

/** Rows of the ledger to read and fold at once. */
export const BATCH_SIZE = 250;

/** The rows of all blocks with at most this time (unix seconds) and at most this number. */
export type Until = { time: bigint; block: bigint | null };

type Neighbour = Pick<LedgerRow, "eventId" | "blockNumber" | "blockTime">;

export type Neighbours = {
  progress: Checkpoint;
  /** the last event at or before the moment */
  last: Neighbour | null;
  /** the first event after it; null around a time, which does not need it */
  next: Neighbour | null;
};

type Batch = {
  /** in the order of the chain */
  rows: readonly StoredRow[];
  /** the last block whose rows stay as they are */
  settled: bigint;
  /** whether nothing follows up to the bound */
  isLast: boolean;
};

export type PastQueries = {
  /** Null during the backfill: the ledger is incomplete, and its indexes are missing. */
  locate(moment: BlockOrTime): Promise<Neighbours | null>;
  /** The rows after an event id; null during the backfill. Pending rows are never split between batches. */
  read(after: string, until: Until): Promise<Batch | null>;
  /** The events that make up the bids of a raise; null when there are too many. */
  bids(pair: Pick<LedgerRow, "escrowAddress" | "onchainId">, until: Until): Promise<readonly BidRow[] | null>;
};

export type PastReaderParameters = { database: Database; tables: Pick<typeof schema, "ledger"> };

export function createPastQueries({ database, tables: { ledger } }: PastReaderParameters): PastQueries {
  const { eventId, blockNumber, blockTime, logIndex, part } = ledger;
  const isWithin = ({ time, block }: Until) =>
    and(lt(eventId, firstEventIdAt(time + 1n)), block === null ? undefined : lte(blockNumber, block));
  return {
    locate: (moment) =>
      database.transaction(async (tx) => {
        const progress = await readCheckpoint(tx);
        if (!progress?.backfilled) return null;
        const events = () => tx.select({ eventId, blockNumber, blockTime }).from(ledger);
        if ("time" in moment) {
          const upTo = lt(eventId, firstEventIdAt(moment.time + 1n));
          const [last = null] = await events().where(upTo).orderBy(desc(eventId)).limit(1);
          return { progress, last, next: null };
        }
        const { block } = moment;
        const [last = null] = await events()
          .where(lte(blockNumber, block))
          .orderBy(desc(blockNumber), desc(logIndex), desc(part))
          .limit(1);
        const [next = null] = await events()
          .where(gt(blockNumber, block))
          .orderBy(asc(blockNumber), asc(logIndex), asc(part))
          .limit(1);
        return { progress, last, next };
      }, ONE_SNAPSHOT),

    bids: (pair, until) =>
      database.transaction((tx) => readBidRows(tx, ledger, pair, isWithin(until)), ONE_SNAPSHOT),

    read: (after, until) =>
      database.transaction(async (tx) => {
        const progress = await readCheckpoint(tx);
        if (!progress?.backfilled) return null;
        const settled = lastSettledOf(progress).number;
        const following = (place: string) =>
          tx
            .select()
            .from(ledger)
            .where(and(gt(eventId, place), isWithin(until)))
            .orderBy(asc(eventId));
        const rows = await following(after).limit(BATCH_SIZE);
        const end = rows.at(-1);
        if (end === undefined || rows.length < BATCH_SIZE) return { rows, settled, isLast: true };
        if (end.blockNumber <= settled) return { rows, settled, isLast: false };
        // A reorg between two transactions could change the pending rows.
        return { rows: [...rows, ...(await following(end.eventId))], settled, isLast: true };
      }, ONE_SNAPSHOT),
  };
}
