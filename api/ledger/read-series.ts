/**
 * Sums the money of one listing over spans of time, in the database: however many subscriptions there are, only the
 * sums leave it.
 * @module
 */
import type { SQL } from "drizzle-orm";
import { type ReadonlyDrizzle, sql } from "ponder";
import type * as schema from "../../ponder.schema.ts";
import { eventsOfListing, type Pair } from "./event-filter.ts";
import type { MoneyBucket, SeriesQuery } from "./series.ts";

type SumsRow = {
  bucket: number;
  committed: string;
  refunded: string;
  repaid_principal: string;
  repaid_interest: string;
};

/** The buckets of a listing. One query, which walks the listing's part of the primary key. */
export async function readBuckets(
  tx: Pick<ReadonlyDrizzle, "execute">,
  ledger: typeof schema.ledger,
  pair: Pair,
  query: SeriesQuery,
): Promise<MoneyBucket[]> {
  const { from, to, points } = query;
  const seconds = to > from ? to - from : 1n;
  const wanted = BigInt(Math.max(1, Math.trunc(points)));
  const count = wanted < seconds ? wanted : seconds;
  // By the block's number, not by the index on places: nearly everything is summed, and a bound on event ids could lead
  // the planner from the primary key to the events of all listings.
  const upTo = { kinds: null, since: null, until: query.until, before: null };
  const events = eventsOfListing(ledger, pair, upTo, false);
  const { rows } = await tx.execute<SumsRow>(sumsOf(ledger, events, { from, seconds, count }));
  const sums = new Map(rows.map((row) => [BigInt(row.bucket), row]));
  /** The first second of a bucket: the least whose share of the span reaches it. */
  const startOf = (bucket: bigint) => from + (bucket * seconds + count - 1n) / count;
  return Array.from({ length: Number(count) }, (_, index) => {
    const row = sums.get(BigInt(index));
    return {
      start: startOf(BigInt(index)),
      end: startOf(BigInt(index + 1)),
      committed: BigInt(row?.committed ?? 0),
      refunded: BigInt(row?.refunded ?? 0),
      repaidPrincipal: BigInt(row?.repaid_principal ?? 0),
      repaidInterest: BigInt(row?.repaid_interest ?? 0),
    };
  });
}

/** Above every event id. */
const PAST_ALL_EVENTS = "9".repeat(76);

/**
 * The sums of each bucket that has any. What counts as committed is decided as the fold decides it (`src/fold/money.ts`):
 * until the raise is frozen, and an auction's outbid money until the first close or end. `turns` are the few events
 * that bear on it; `ended` is the first close or end; `frozen` is the first event that is not before the freeze: `ended`,
 * or the first one of a block at or past the closing time of the terms then valid.
 */
function sumsOf(
  ledger: typeof schema.ledger,
  events: SQL | undefined,
  { from, seconds, count }: { from: bigint; seconds: bigint; count: bigint },
): SQL {
  const { eventId, kind, blockTime, args } = ledger;
  const last = count - 1n;
  return sql`
    WITH turns AS (
      SELECT ${eventId} AS id, ${kind} AS kind, ${args} -> 'terms' AS terms FROM ${ledger}
      WHERE ${events} AND ${kind} IN ('listing_created', 'listing_terms_updated', 'listing_closed',
        'listing_settled', 'listing_cancelled', 'listing_voided')
    ), terms AS (
      SELECT id, (terms ->> 'closeAt')::numeric AS close_at, terms ->> 'pricingMode' AS mode,
        coalesce(lead(id) OVER (ORDER BY id), ${PAST_ALL_EVENTS}) AS next
      FROM turns
      WHERE kind = 'listing_terms_updated'
        OR id = (SELECT min(id) FROM turns WHERE kind = 'listing_created')
    ), ended AS (
      SELECT coalesce(min(id), ${PAST_ALL_EVENTS}) AS id FROM turns
      WHERE kind NOT IN ('listing_created', 'listing_terms_updated')
    ), frozen AS (
      SELECT least(ended.id, (SELECT min(past.id) FROM terms CROSS JOIN LATERAL (
        SELECT ${eventId} AS id FROM ${ledger}
        WHERE ${events} AND ${eventId} > terms.id AND ${eventId} <= terms.next AND ${blockTime} >= terms.close_at
        ORDER BY ${eventId} LIMIT 1) AS past)) AS id
      FROM ended
    ), rules AS (
      SELECT frozen.id AS frozen, CASE
          WHEN (SELECT mode FROM terms WHERE terms.id < frozen.id ORDER BY terms.id DESC LIMIT 1) = 'auction'
          THEN ended.id ELSE frozen.id END AS outbid_until
      FROM frozen, ended
    ), money AS (
      SELECT ${eventId} AS id, ${kind} AS kind, ${args} ->> 'reason' AS reason,
        (${args} ->> CASE ${kind} WHEN 'repaid' THEN 'principal' ELSE 'amount' END)::numeric AS amount,
        (${args} ->> 'interest')::numeric AS interest,
        least(greatest(div((${blockTime} - ${`${from}`}::numeric) * ${`${count}`}::numeric, ${`${seconds}`}::numeric), 0),
          ${`${last}`}::numeric)::integer AS bucket
      FROM ${ledger}
      WHERE ${events} AND ${kind} IN ('subscribed', 'refunded', 'repaid')
    )
    SELECT bucket,
      coalesce(sum(CASE
        WHEN kind = 'subscribed' AND id < rules.frozen THEN amount
        WHEN kind = 'refunded' AND reason = 'withdrawn' AND id < rules.frozen THEN -amount
        WHEN kind = 'refunded' AND reason = 'outbid' AND id < rules.outbid_until THEN -amount
      END), 0)::text AS committed,
      coalesce(sum(amount) FILTER (WHERE kind = 'refunded'), 0)::text AS refunded,
      coalesce(sum(amount) FILTER (WHERE kind = 'repaid'), 0)::text AS repaid_principal,
      coalesce(sum(interest) FILTER (WHERE kind = 'repaid'), 0)::text AS repaid_interest
    FROM money CROSS JOIN rules
    GROUP BY bucket`;
}
