/**
 * A ledger of one raise on a real embedded database, without an indexer: backers subscribe to it one unit at a time, a
 * block a second.
 * @module
 */
import { drizzle } from "drizzle-orm/pglite";
import type { Database } from "../../api/database/checkpoint.ts";
import { createPastQueries, type PastQueries } from "../../api/history/read-ledger.ts";
import * as tables from "../../ponder.schema.ts";
import type { Block } from "../../src/fold/events.ts";
import type { LedgerRow } from "../../src/fold/state.ts";
import { createBook, escrowLog, rawTerms, toListingEvent } from "./book.ts";
import { checkpointAt, eventIdAt, INSERT_LEDGER, LEDGER_TABLE, rowsJson } from "./ledger-table.ts";
import { DAY, listingRow, NOW } from "./rows.ts";

const { escrowAddress, onchainId, originator, token, refnum, metadataHash } = listingRow();

/** The rows of a raise that is created in the first of these blocks and subscribed to in each of the others. */
export function subscribedIn(blocks: readonly Block[]): LedgerRow[] {
  const book = createBook();
  if (originator === null || token === null || refnum === null || metadataHash === null)
    throw new Error("a made-up listing is complete");
  const terms = rawTerms({ targetAmount: 10n ** 9n, goLiveAt: NOW - DAY, closeAt: NOW + DAY });
  for (const [index, { number, timestamp }] of blocks.entries()) {
    const log =
      index === 0
        ? escrowLog("ListingCreated", { originator, token, refnum, metadataHash, terms }, onchainId)
        : escrowLog("Subscribed", { amount: 1n, totalRaised: BigInt(index) }, onchainId);
    const eventId = eventIdAt({ time: timestamp, block: number });
    const txHash = `0x${`${index}`.padStart(64, "0")}` as const;
    const at = { escrowAddress, onchainId, eventId, blockNumber: number, blockTime: timestamp, txHash };
    book.record({ ...toListingEvent(log), at: { ...at, logIndex: 0, part: 0 } });
  }
  return book.ledger;
}

export type PastLedger = {
  reader: PastQueries;
  /** Replaces every row. */
  tell(rows: readonly LedgerRow[]): Promise<void>;
  /** Says how far the index is. @param progress `byDepth` is final as well, and a reorg may still take it back */
  stand(progress: { head: Block; finalized: Block; byDepth?: Block; backfilled?: boolean }): Promise<void>;
  close(): Promise<void>;
};

export async function startPastLedger(): Promise<PastLedger> {
  const database = drizzle({ casing: "snake_case" });
  const { $client } = database;
  for (const statement of LEDGER_TABLE) await $client.query(statement);
  return {
    reader: createPastQueries({ database: database as unknown as Database, tables }),
    async tell(rows) {
      await $client.query("TRUNCATE ledger");
      await $client.query(INSERT_LEDGER, [rowsJson(rows)]);
    },
    async stand({ head, finalized, byDepth, backfilled = true }) {
      const checkpoint = ({ number, timestamp }: Block) => checkpointAt({ time: timestamp, block: number });
      await $client.query(
        "UPDATE _ponder_checkpoint SET latest_checkpoint = $1, safe_checkpoint = $2, finalized_checkpoint = $2, final_checkpoint = $3",
        [checkpoint(head), checkpoint(finalized), byDepth === undefined ? null : checkpoint(byDepth)],
      );
      await $client.query("UPDATE _ponder_meta SET value = $1", [{ is_ready: backfilled ? 1 : 0 }]);
    },
    close: () => $client.close(),
  };
}
