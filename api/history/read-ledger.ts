/**
 * Reads the ledger for a moment of the past: where the moment stands in it, and the rows up to there, a stretch at a
 * time. A transaction holds up the indexer on the embedded database, so that each is short.
 * @module
 */
import { and, asc, desc, gt, lt, lte } from "ponder";
import type * as schema from "../../ponder.schema.ts";
import { firstEventIdAt } from "../../src/fold/event-id.ts";
import type { LedgerRow } from "../../src/fold/state.ts";
import { type Checkpoint, type Database, ONE_SNAPSHOT, readCheckpoint } from "../database/checkpoint.ts";
import type { BlockOrTime } from "../time.ts";

/** Rows of the ledger that are read at a time, and folded before others have their turn. */
export const STRETCH = 250;

/** Up to which row: everything in blocks whose time is at most `time` and whose number is at most `block`. */
export type Until = { time: bigint; block: bigint | null };

/** An event of the ledger, by the time of its block. */
type Neighbour = Pick<LedgerRow, "eventId" | "blockNumber" | "blockTime">;

export type Place = {
  progress: Checkpoint;
  /** the last event at or before the moment */
  last: Neighbour | null;
  /** the first event after it; looked for only around a block */
  next: Neighbour | null;
};

type Stretch = {
  /** in the order of the chain */
  rows: readonly LedgerRow[];
  finalized: bigint;
  /** whether nothing follows up to the bound */
  isLast: boolean;
};

export type PastReader = {
  /** Null before the backfill is over: some of the past is not in the ledger yet, and its indexes are missing. */
  locate(moment: BlockOrTime): Promise<Place | null>;
  /** The rows that come after an event id, up to a moment; null as above. Pending rows are all of one stretch. */
  read(after: string, until: Until): Promise<Stretch | null>;
};

export type PastReaderParameters = { database: Database; tables: Pick<typeof schema, "ledger"> };

export function createPastReader({ database, tables: { ledger } }: PastReaderParameters): PastReader {
  const { eventId, blockNumber, blockTime, logIndex } = ledger;
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
          .orderBy(desc(blockNumber), desc(logIndex))
          .limit(1);
        const [next = null] = await events()
          .where(gt(blockNumber, block))
          .orderBy(asc(blockNumber), asc(logIndex))
          .limit(1);
        return { progress, last, next };
      }, ONE_SNAPSHOT),

    read: (after, { time, block }) =>
      database.transaction(async (tx) => {
        const progress = await readCheckpoint(tx);
        if (!progress?.backfilled) return null;
        const finalized = progress.finalized.number;
        const following = (place: string) =>
          tx
            .select()
            .from(ledger)
            .where(
              and(
                gt(eventId, place),
                lt(eventId, firstEventIdAt(time + 1n)),
                block === null ? undefined : lte(blockNumber, block),
              ),
            )
            .orderBy(asc(eventId));
        const rows = await following(after).limit(STRETCH);
        const end = rows.at(-1);
        if (end === undefined || rows.length < STRETCH) return { rows, finalized, isLast: true };
        if (end.blockNumber <= finalized) return { rows, finalized, isLast: false };
        // A reorg between two transactions could change what is pending.
        return { rows: [...rows, ...(await following(end.eventId))], finalized, isLast: true };
      }, ONE_SNAPSHOT),
  };
}
