/**
 * The conditions of a query of the ledger, each by the columns of the index that the query walks: an old page costs
 * no more than a new one. Event ids and places (block, log index) have the same order, that of the chain; block
 * times never decrease along it.
 * @module
 */
import type { SQL } from "drizzle-orm";
import { and, eq, gte, inArray, lt, lte, sql } from "ponder";
import type { Hex } from "viem";
import type * as schema from "../../ponder.schema.ts";
import type { EventKind } from "../../src/fold/vocabulary.ts";
import { firstEventIdAt } from "../history/read-ledger.ts";
import type { BlockOrTime } from "../time.ts";

type Ledger = typeof schema.ledger;

/** A listing on the chain; the address in lowercase. */
export type Pair = { escrowAddress: Hex; onchainId: bigint | string };
/** Where an event stands; pages begin and end at places. */
export type Place = { blockNumber: bigint; logIndex: number };
/** Which events: those that fit every filter and stand below the place `before`. Null: no such filter. */
export type LedgerFilter = {
  kinds: ReadonlySet<EventKind> | null;
  /** both inclusive */
  since: BlockOrTime | null;
  until: BlockOrTime | null;
  before: Place | null;
};

/** Above every event id. */
const PAST_ALL_EVENTS = "9".repeat(76);

/**
 * Which events of one listing, by the event id: the primary key orders a listing's events by it. A block is found
 * by the index on places, which does not exist while it backfills (`indexed`).
 */
export function eventsOfListing(
  ledger: Ledger,
  pair: Pair,
  filter: LedgerFilter,
  indexed: boolean,
): SQL | undefined {
  const { kinds, since, until, before } = filter;
  const firstFrom = (block: bigint) => sql`(SELECT place.event_id FROM ${ledger} AS place
    WHERE place.block_number >= ${block.toString()}::numeric
    ORDER BY place.block_number, place.log_index LIMIT 1)`;
  const upTo = (block: bigint) =>
    indexed
      ? lt(ledger.eventId, sql`coalesce(${firstFrom(block + 1n)}, ${PAST_ALL_EVENTS})`)
      : lte(ledger.blockNumber, block);
  const from = (block: bigint) =>
    indexed ? gte(ledger.eventId, firstFrom(block)) : gte(ledger.blockNumber, block);
  return allOf([
    eq(ledger.escrowAddress, pair.escrowAddress),
    eq(ledger.onchainId, BigInt(pair.onchainId)),
    kinds && inArray(ledger.kind, [...kinds]),
    since && ("block" in since ? from(since.block) : gte(ledger.eventId, firstEventIdFrom(since.time))),
    until && ("block" in until ? upTo(until.block) : lt(ledger.eventId, firstEventIdFrom(until.time + 1n))),
    before && upTo(before.blockNumber),
    below(ledger, filter),
  ]);
}

/** Which events of all listings, of one kind or of any, by the block number: the indexes on places order them by it. */
export function eventsOfMarket(
  ledger: Ledger,
  filter: LedgerFilter,
  kind: EventKind | null,
): SQL | undefined {
  const { since, until } = filter;
  const firstFrom = (time: bigint) => sql`(SELECT place.block_number FROM ${ledger} AS place
    WHERE place.event_id >= ${firstEventIdFrom(time)} ORDER BY place.event_id LIMIT 1)`;
  const lastUpTo = (time: bigint) => sql`(SELECT place.block_number FROM ${ledger} AS place
    WHERE place.event_id < ${firstEventIdFrom(time + 1n)} ORDER BY place.event_id DESC LIMIT 1)`;
  return allOf([
    kind && eq(ledger.kind, kind),
    since && gte(ledger.blockNumber, "block" in since ? since.block : firstFrom(since.time)),
    until && lte(ledger.blockNumber, "block" in until ? until.block : lastUpTo(until.time)),
    below(ledger, filter),
  ]);
}

function allOf(conditions: readonly (SQL | null)[]): SQL | undefined {
  return and(...conditions.filter((condition) => condition !== null));
}

function below(ledger: Ledger, { before }: LedgerFilter): SQL | null {
  return (
    before &&
    sql`(${ledger.blockNumber}, ${ledger.logIndex}) < (${before.blockNumber.toString()}::numeric, ${before.logIndex}::integer)`
  );
}

function firstEventIdFrom(time: bigint): string {
  return firstEventIdAt(time < 0n ? 0n : time);
}
