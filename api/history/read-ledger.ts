/**
 * Folds the ledger up to a moment, by the code with which the handlers folded it (`src/fold/replay.ts`).
 * @module
 */
import { and, asc, gt, lt, lte } from "ponder";
import type * as schema from "../../ponder.schema.ts";
import { createReplay } from "../../src/fold/replay.ts";
import { type Database, ONE_SNAPSHOT, readProgress } from "../feed/checkpoint.ts";
import type { ChainRows, Head } from "../market/project.ts";

/** Rows of the ledger that are read at a time. */
const CHUNK = 2000;

/** Up to which row: everything in blocks whose time is at most `time` and whose number is at most `block`. */
export type Until = { time: bigint; block: bigint | null };

export type PastRows = { rows: ChainRows; finalized: Head };

/** The chain's rows as they were at a moment; null before the first checkpoint. Holders are not in the ledger. */
export async function readPastRows(
  db: Database,
  { ledger }: Pick<typeof schema, "ledger">,
  { time, block }: Until,
): Promise<PastRows | null> {
  return db.transaction(async (tx) => {
    const progress = await readProgress(tx);
    if (progress === null) return null;
    const replay = createReplay();
    let last = "";
    for (;;) {
      const rows = await tx
        .select()
        .from(ledger)
        .where(
          and(
            gt(ledger.eventId, last),
            lt(ledger.eventId, firstEventIdAt(time + 1n)),
            block === null ? undefined : lte(ledger.blockNumber, block),
          ),
        )
        .orderBy(asc(ledger.eventId))
        .limit(CHUNK);
      for (const row of rows) replay.add(row);
      const end = rows.at(-1);
      if (end === undefined || rows.length < CHUNK) break;
      last = end.eventId;
    }
    const { listings, repayments, offers, trades } = replay.tables();
    return {
      rows: { listings, repayments, offers, trades, holders: new Map() },
      finalized: progress.finalized,
    };
  }, ONE_SNAPSHOT);
}

/**
 * A text below every event id of blocks of this time (unix seconds) or later and above all earlier ones: an event id
 * begins with ten digits of the block's time, and has 75.
 */
export function firstEventIdAt(time: bigint): string {
  return time < 10n ** 10n ? time.toString().padStart(10, "0") : "9".repeat(76);
}
