/** @module Table reads for the root of the book: final events, oldest first, and the rows of listings. */
import { and, asc, eq, gt, lte, type ReadonlyDrizzle, sql } from "ponder";
import type { Hex } from "viem";
import type * as schema from "../../ponder.schema.ts";
import type { EventPosition } from "../../src/fold/event-id.ts";
import type { ListingRow, StoredRow } from "../../src/fold/state.ts";
import { type Database, ONE_SNAPSHOT } from "../database/checkpoint.ts";
import { readOnward } from "../ledger/read-onward.ts";
import type { Pair } from "../registry/schema.ts";
import type { BookEvent } from "./book-leaves.ts";

export type BookQueries = {
  /** Events after a position and up to a block, in the order of the chain. */
  events(after: EventPosition | null, until: bigint, limit: number): Promise<readonly BookEvent[]>;
  /** A listing's events after an event id (`""` for the first) and up to a block, in the order of the chain. */
  eventsOf(pair: Pair, after: string, until: bigint): Promise<readonly StoredRow[]>;
  /** The rows of these listings, as of the head. */
  listings(pairs: readonly Pair[]): Promise<readonly ListingRow[]>;
  /** The rows after a listing (null for the first), in the order of escrow and id, as of the head. */
  listingsAfter(after: Pair | null, limit: number): Promise<readonly ListingRow[]>;
  /** The listings with an event after one block and up to another. */
  changed(after: bigint, until: bigint): Promise<readonly Pair[]>;
  /** The escrows with a listing. */
  escrows(): Promise<readonly Hex[]>;
  /** The hash of a block with an indexed event; null if there is none. */
  blockHash(number: bigint): Promise<Hex | null>;
};

export function createBookQueries({
  database,
  tables: { ledger, eventBlock, listing },
}: {
  database: Database;
  tables: Pick<typeof schema, "ledger" | "eventBlock" | "listing">;
}): BookQueries {
  const inSnapshot = <Result>(read: (tx: ReadonlyDrizzle) => Promise<Result>) =>
    database.transaction(read, ONE_SNAPSHOT);
  return {
    events: (after, until, limit) =>
      inSnapshot((tx) =>
        readOnward(tx, { ledger, eventBlock }, { after, until, pair: null, kinds: null, limit }),
      ),

    eventsOf: ({ escrowAddress, onchainId }, after, until) =>
      inSnapshot((tx) =>
        tx
          .select()
          .from(ledger)
          .where(
            and(
              eq(ledger.escrowAddress, escrowAddress),
              eq(ledger.onchainId, onchainId),
              gt(ledger.eventId, after),
              lte(ledger.blockNumber, until),
            ),
          )
          .orderBy(asc(ledger.eventId)),
      ),

    listings: (pairs) =>
      inSnapshot((tx) => {
        // One parameter for any number of listings.
        const keys = JSON.stringify(
          pairs.map(({ escrowAddress, onchainId }) => ({ address: escrowAddress, id: `${onchainId}` })),
        );
        return tx
          .select()
          .from(listing)
          .where(sql`(${listing.escrowAddress}, ${listing.onchainId}) IN (SELECT pair.address, pair.id
            FROM json_to_recordset(${keys}::json) AS pair (address text, id numeric))`);
      }),

    listingsAfter: (after, limit) =>
      inSnapshot((tx) =>
        tx
          .select()
          .from(listing)
          .where(
            after === null
              ? undefined
              : sql`(${listing.escrowAddress}, ${listing.onchainId}) > (${after.escrowAddress}, ${`${after.onchainId}`}::numeric)`,
          )
          .orderBy(asc(listing.escrowAddress), asc(listing.onchainId))
          .limit(limit),
      ),

    changed: (after, until) =>
      inSnapshot((tx) =>
        tx
          .selectDistinct({ escrowAddress: ledger.escrowAddress, onchainId: ledger.onchainId })
          .from(ledger)
          .where(and(gt(ledger.blockNumber, after), lte(ledger.blockNumber, until))),
      ),

    escrows: () =>
      inSnapshot(async (tx) => {
        const rows = await tx.selectDistinct({ address: listing.escrowAddress }).from(listing);
        return rows.map(({ address }) => address);
      }),

    blockHash: (number) =>
      inSnapshot(async (tx) => {
        const [block] = await tx.select().from(eventBlock).where(eq(eventBlock.number, number));
        return block?.hash ?? null;
      }),
  };
}
