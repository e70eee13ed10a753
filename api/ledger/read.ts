/** @module The reader of the ledger: pages of events and anomalies, and sums, each in one transaction with its checkpoint. */
import { lte, type ReadonlyDrizzle, sql } from "ponder";
import type * as schema from "../../ponder.schema.ts";
import { readBidRows } from "../database/bids.ts";
import { type Checkpoint, type Database, ONE_SNAPSHOT, readCheckpoint } from "../database/checkpoint.ts";
import type { BlockTimes } from "../history/block-times.ts";
import { type BidEvent, toBidEvents } from "../market/bids.ts";
import type { Pair } from "../registry/schema.ts";
import type { AnomalyCounts } from "./anomaly.ts";
import { eventsOfListing } from "./event-filter.ts";
import {
  type AnomalyQuery,
  type AnomalyRows,
  createAnomalyCounter,
  readAnomalies,
} from "./read-anomalies.ts";
import {
  type LedgerQuery,
  type LedgerRows,
  type ListingSet,
  readNewestOfListing,
  readOfListing,
  readOfListings,
  readPlainPage,
} from "./read-events.ts";
import { readSums } from "./read-sums.ts";
import type { ListingSeries, MoneyBucket, SeriesQuery } from "./series.ts";
import type { LedgerSums, SumsQuery } from "./sums.ts";

export type LedgerPage = LedgerRows & { progress: Checkpoint };
export type AnomalyPage = AnomalyRows & { progress: Checkpoint; byKind: AnomalyCounts };

/** Why there is no page: before the first checkpoint, or while the index that it needs is missing. */
export type NoPage = "not_indexed_yet" | "backfilling";

/** The bids of a raise up to the queried block, oldest first; null where there are more than can be summed. */
export type ListingBids = { progress: Checkpoint; events: readonly BidEvent[] | null };

export type LedgerQueries = {
  ofListing(pair: Pair, query: LedgerQuery): Promise<LedgerPage | NoPage>;
  /** The events of all these listings; only once the backfill is over. A page can be short and yet not the last. */
  ofListings(listings: ListingSet, query: LedgerQuery): Promise<LedgerPage | NoPage>;
  /** `byKind` counts every anomaly, whatever the query. */
  anomalies(query: AnomalyQuery): Promise<AnomalyPage | NoPage>;
  /** The money of one listing over time; also while it backfills. */
  seriesOfListing(pair: Pair, query: SeriesQuery): Promise<ListingSeries | NoPage>;
  /** The bids of an auction up to a block, inclusive; also while it backfills. */
  bidsOfListing(pair: Pair, until: { block: bigint }): Promise<ListingBids | NoPage>;
  /** Sums of the events of these listings in a span of time; only once the backfill is over. May include rows of other listings. */
  sums(listings: ListingSet, query: SumsQuery): Promise<LedgerSums | NoPage>;
};

export type LedgerReaderParameters = {
  database: Database;
  tables: Pick<typeof schema, "ledger" | "anomaly" | "tally">;
  blockTimes: BlockTimes;
};

/** A reader over Ponder's tables, on PostgreSQL and on PGlite alike. It never writes. */
export function createLedgerQueries({ database, tables, blockTimes }: LedgerReaderParameters): LedgerQueries {
  const { ledger } = tables;
  const countAnomalies = createAnomalyCounter(tables);
  const inOneSnapshot = <Answer>(
    read: (tx: ReadonlyDrizzle, progress: Checkpoint) => Promise<Answer | NoPage>,
  ) =>
    database.transaction<Answer | NoPage>(async (tx) => {
      const progress = await readCheckpoint(tx);
      return progress === null ? "not_indexed_yet" : read(tx, progress);
    }, ONE_SNAPSHOT);

  return {
    ofListing: async (pair, query) =>
      (await readNewestOfListing(database, pair, query)) ??
      inOneSnapshot(async (tx, progress) => ({
        progress,
        ...(await readOfListing(tx, ledger, pair, query, progress.backfilled)),
      })),

    ofListings: async (listings, query) =>
      (await readPlainPage(database, ledger, listings, query)) ??
      inOneSnapshot(async (tx, progress) => {
        if (!progress.backfilled) return "backfilling";
        return { progress, ...(await readOfListings(tx, ledger, listings, query)) };
      }),

    anomalies: (query) =>
      inOneSnapshot(async (tx, progress) => ({
        progress,
        byKind: await countAnomalies(tx),
        ...(await readAnomalies(tx, tables, query)),
      })),

    seriesOfListing: (pair, query) =>
      inOneSnapshot(async (tx, progress) => ({
        progress,
        buckets: await readBuckets(tx, ledger, pair, query),
      })),

    bidsOfListing: (pair, { block }) =>
      inOneSnapshot(async (tx, progress) => {
        // By the block's number, as in the sums over time.
        const rows = await readBidRows(tx, ledger, pair, lte(ledger.blockNumber, block));
        return { progress, events: rows && toBidEvents(rows) };
      }),

    sums: (listings, query) =>
      inOneSnapshot(async (tx, progress) => {
        if (!progress.backfilled) return "backfilling";
        const timeOf = (block: bigint) => blockTimes.of(block, progress.irreversible).catch(() => null);
        return { progress, timeOf, ...(await readSums(tx, ledger, listings, query)) };
      }),
  };
}

type SumsRow = {
  bucket: number;
  committed: string;
  refunded: string;
  repaid_principal: string;
  repaid_interest: string;
};

/** The sums of a listing's money in each bucket. One query, which walks the listing's part of the primary key once. */
async function readBuckets(
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
