/**
 * Filters of events as SQL conditions, each on the columns of the index that its query walks, so that an old page costs
 * no more than a new one. Event ids and positions (block, log index, part) have the same order, that of the chain; block times
 * never decrease along it.
 * @module
 */
import type { SQL } from "drizzle-orm";
import { and, eq, gte, inArray, lt, lte, sql } from "ponder";
import type { BlockOrTime } from "../../config/format/time.ts";
import type * as schema from "../../ponder.schema.ts";
import { AFTER_ALL_EVENTS, type EventPosition, firstEventIdAt } from "../../src/fold/event-id.ts";
import type { EventKind } from "../../src/fold/vocabulary.ts";
import type { Pair } from "../registry/schema.ts";

type Ledger = typeof schema.ledger;

/** Columns of a query that name a listing. */
export type PairColumns = { escrowAddress: SQL; onchainId: SQL };
/** Events that match every condition and come before the position `before`. Null: no such condition. */
export type LedgerFilter = {
  kinds: ReadonlySet<EventKind> | null;
  /** both inclusive */
  since: BlockOrTime | null;
  until: BlockOrTime | null;
  before: EventPosition | null;
};

/** By event id, the order of the primary key. Blocks are found by the index on positions, missing in the backfill (`indexed`). */
export function eventsOfListing(
  ledger: Ledger,
  pair: Pair | PairColumns,
  filter: LedgerFilter,
  indexed: boolean,
): SQL | undefined {
  const { kinds, since, until, before } = filter;
  const firstFrom = (block: bigint) => sql`(SELECT place.event_id FROM ${ledger} AS place
    WHERE place.block_number >= ${block.toString()}::numeric
    ORDER BY place.block_number, place.log_index, place.part LIMIT 1)`;
  const upTo = (block: bigint) =>
    indexed
      ? lt(ledger.eventId, sql`coalesce(${firstFrom(block + 1n)}, ${AFTER_ALL_EVENTS})`)
      : lte(ledger.blockNumber, block);
  const from = (block: bigint) =>
    indexed ? gte(ledger.eventId, firstFrom(block)) : gte(ledger.blockNumber, block);
  return allOf([
    eq(ledger.escrowAddress, pair.escrowAddress),
    eq(ledger.onchainId, pair.onchainId),
    kinds && inArray(ledger.kind, [...kinds]),
    since && ("block" in since ? from(since.block) : gte(ledger.eventId, firstEventIdAt(since.time))),
    until && ("block" in until ? upTo(until.block) : lt(ledger.eventId, firstEventIdAt(until.time + 1n))),
    before && upTo(before.blockNumber),
    below(ledger, filter),
  ]);
}

/** The events of all listings, of one kind or of any, by block number: the order of the indexes on positions. */
export function eventsOfMarket(
  ledger: Ledger,
  filter: LedgerFilter,
  kind: EventKind | null,
): SQL | undefined {
  const { since, until } = filter;
  const firstFrom = (time: bigint) => sql`(SELECT place.block_number FROM ${ledger} AS place
    WHERE place.event_id >= ${firstEventIdAt(time)} ORDER BY place.event_id LIMIT 1)`;
  const lastUpTo = (time: bigint) => sql`(SELECT place.block_number FROM ${ledger} AS place
    WHERE place.event_id < ${firstEventIdAt(time + 1n)} ORDER BY place.event_id DESC LIMIT 1)`;
  return allOf([
    kind && eq(ledger.kind, kind),
    since && gte(ledger.blockNumber, "block" in since ? since.block : firstFrom(since.time)),
    until && lte(ledger.blockNumber, "block" in until ? until.block : lastUpTo(until.time)),
    below(ledger, filter),
  ]);
}

/** A position, to compare with the columns `(block_number, log_index, part)`. */
export function placeInSql({ blockNumber, logIndex, part = 0 }: EventPosition): SQL {
  return sql`(${`${blockNumber}`}::numeric, ${logIndex}::integer, ${part}::integer)`;
}

/** The order of the indexes on positions, newest first. */
export const NEWEST_FIRST = sql`block_number DESC, log_index DESC, part DESC`;

function allOf(conditions: readonly (SQL | null)[]): SQL | undefined {
  return and(...conditions.filter((condition) => condition !== null));
}

function below(ledger: Ledger, { before }: LedgerFilter): SQL | null {
  return before && sql`(${ledger.blockNumber}, ${ledger.logIndex}, ${ledger.part}) < ${placeInSql(before)}`;
}
