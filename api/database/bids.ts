/** @module Reads the events of a raise that make up the bids of an auction. */
import type { SQL } from "drizzle-orm";
import { and, asc, eq, inArray, type ReadonlyDrizzle } from "ponder";
import type * as schema from "../../ponder.schema.ts";
import type { StoredRow } from "../../src/fold/state.ts";
import type { EventKind } from "../../src/fold/vocabulary.ts";

export type BidRow = Pick<StoredRow, "kind" | "args" | "committed">;

/** The escrow holds 200 bids at a time; withdrawn ones make room for others. */
const MOST_EVENTS = 2_000;
const KINDS: readonly EventKind[] = ["subscribed", "refunded", "listing_closed"];

/** The events of a raise that change its bids, oldest first; null when there are more than can be summed. */
export async function readBidRows(
  tx: ReadonlyDrizzle,
  ledger: typeof schema.ledger,
  { escrowAddress, onchainId }: Pick<StoredRow, "escrowAddress" | "onchainId">,
  until?: SQL,
): Promise<readonly BidRow[] | null> {
  const { kind, args, committed } = ledger;
  const rows = await tx
    .select({ kind, args, committed })
    .from(ledger)
    .where(
      and(
        eq(ledger.escrowAddress, escrowAddress),
        eq(ledger.onchainId, onchainId),
        inArray(kind, [...KINDS]),
        until,
      ),
    )
    .orderBy(asc(ledger.eventId))
    .limit(MOST_EVENTS + 1);
  return rows.length > MOST_EVENTS ? null : rows;
}
