/**
 * Reads the events that make the bids of one auction.
 * @module
 */
import { asc, type ReadonlyDrizzle } from "ponder";
import type { Hex } from "viem";
import type * as schema from "../../ponder.schema.ts";
import type { EventKind } from "../../src/fold/vocabulary.ts";
import type { BidEvent } from "./bids.ts";
import { eventsOfListing, type Pair } from "./event-filter.ts";

/** The escrow holds 200 bids at a time; withdrawn ones make room for others. */
const MOST_EVENTS = 2_000;
const KINDS: ReadonlySet<EventKind> = new Set(["subscribed", "refunded", "listing_closed"]);

/**
 * The bids of a listing with withdrawals and outbid amounts, oldest first; null when there are too many. Amounts are each event's
 * change of `raisedAmount`, which events after the close and other refunds do not change.
 */
export async function readBids(
  tx: ReadonlyDrizzle,
  ledger: typeof schema.ledger,
  pair: Pair,
  until: { block: bigint },
): Promise<BidEvent[] | null> {
  const { kind, args, committed } = ledger;
  // By the block's number, as in the sums over time.
  const rows = await tx
    .select({ kind, args, committed })
    .from(ledger)
    .where(eventsOfListing(ledger, pair, { kinds: KINDS, since: null, until, before: null }, false))
    .orderBy(asc(ledger.eventId))
    .limit(MOST_EVENTS + 1);
  return rows.length > MOST_EVENTS ? null : rows.flatMap(toBidEvent);
}

type BidRow = Pick<typeof schema.ledger.$inferSelect, "kind" | "args" | "committed">;

function toBidEvent({ kind, args, committed }: BidRow): BidEvent[] {
  if (kind === "listing_closed") return [{ kind: "closed" }];
  if (committed === null || committed === 0n) return [];
  const backer = args.backer as Hex;
  if (kind === "subscribed") {
    return committed > 0n
      ? [{ kind: "bid", backer, rateBps: Number(args.bidRateBps), amount: committed }]
      : [];
  }
  if (committed > 0n) return [];
  return [{ kind: args.reason === "outbid" ? "outbid" : "withdrawn", backer, amount: -committed }];
}
