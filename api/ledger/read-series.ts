/**
 * Sums the money of one listing over spans of time, in the database, so that only the
 * sums are transferred, however many subscriptions there are.
 * @module
 */
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

/** The buckets of a listing. One query, which walks the listing's part of the primary key once. */
export async function readBuckets(
  tx: Pick<ReadonlyDrizzle, "execute">,
  ledger: typeof schema.ledger,
  pair: Pair,
  { from, to, until, points }: SeriesQuery,
): Promise<MoneyBucket[]> {
  const seconds = to > from ? to - from : 1n;
  const wanted = BigInt(Math.max(1, Math.trunc(points)));
  const count = wanted < seconds ? wanted : seconds;
  // By the block's number, not by the index on places: nearly everything is summed, and a bound on event ids could lead
  // the planner from the primary key to the events of all listings.
  const events = eventsOfListing(ledger, pair, { kinds: null, since: null, until, before: null }, false);
  const share = sql`(${ledger.blockTime} - ${`${from}`}::numeric) * ${`${count}`}::numeric`;
  const { rows } = await tx.execute<SumsRow>(sql`
    SELECT least(greatest(div(${share}, ${`${seconds}`}::numeric), 0), ${`${count - 1n}`}::numeric)::integer AS bucket,
      coalesce(sum(${ledger.committed}), 0)::text AS committed,
      coalesce(sum(${ledger.refunded}), 0)::text AS refunded,
      coalesce(sum(${ledger.repaidPrincipal}), 0)::text AS repaid_principal,
      coalesce(sum(${ledger.repaidInterest}), 0)::text AS repaid_interest
    FROM ${ledger} WHERE ${events} GROUP BY bucket`);
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
