/**
 * Reads the tables on the embedded database. Ponder writes to it without transactions, each block table by table with the checkpoint
 * last, and its reader has no transactions either. `operate/backfill/transactions.ts` restores them for its known version.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { max, type SQL } from "drizzle-orm";
import { drizzle } from "drizzle-orm/pglite";
import type { ReadonlyDrizzle } from "ponder";
import type * as schema from "../../ponder.schema.ts";
import { blockOf } from "../../src/fold/event-id.ts";
import { type Database, DatabaseSilentError, readCheckpoint } from "./checkpoint.ts";

export type EmbeddedClient = Extract<Parameters<typeof drizzle>[0], { listen: unknown }>;

/** Milliseconds between checks of a block that is being written. */
const INTERVAL = 20;
/** Longest milliseconds for a block, and in the backfill for thousands of them, to be written. */
const PATIENCE = 30_000;

/** Real transactions, each between two blocks; they throw a `DatabaseSilentError` when no block gets complete in time. */
export function readEmbedded(client: EmbeddedClient, tables: Pick<typeof schema, "tally">): Database {
  const database = drizzle(client, { casing: "snake_case" });
  const betweenBlocks: Database = {
    async transaction(read, config) {
      const deadline = performance.now() + PATIENCE;
      while (performance.now() < deadline) {
        const found = await database.transaction(async (pgliteTx) => {
          // Ponder's own reader is of the same kind, from another build of the same library.
          const tx = pgliteTx as unknown as ReadonlyDrizzle;
          return (await isBlockWhole(tx, tables)) ? { result: await read(tx) } : null;
        }, config);
        if (found !== null) return found.result;
        await sleep(INTERVAL);
      }
      throw new DatabaseSilentError("the indexer does not finish a block");
    },
    async statement<Row extends object>(_: string, query: SQL) {
      const { rows } = await betweenBlocks.transaction(async (tx) => tx.execute(query));
      return rows as Row[];
    },
  };
  return betweenBlocks;
}

/** The tally is written before any other table (`ponder.schema.ts`), and the checkpoint after all of them. */
async function isBlockWhole(tx: ReadonlyDrizzle, { tally }: Pick<typeof schema, "tally">): Promise<boolean> {
  const checkpoint = await readCheckpoint(tx);
  // Before the first checkpoint there is nothing to read.
  if (checkpoint === null) return true;
  const [last] = await tx.select({ eventId: max(tally.lastEventId) }).from(tally);
  return (
    last === undefined || last.eventId === null || blockOf(last.eventId).number <= checkpoint.head.number
  );
}
