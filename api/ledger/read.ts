/**
 * The reader of the ledger: pages of events, pages of anomalies, and sums of a listing's money, each in one transaction
 * with its checkpoint.
 * @module
 */
import type { ReadonlyDrizzle } from "ponder";
import type * as schema from "../../ponder.schema.ts";
import { type Checkpoint, type Database, ONE_SNAPSHOT, readCheckpoint } from "../database/checkpoint.ts";
import type { AnomalyCounts } from "./anomaly.ts";
import type { ListingBids } from "./bids.ts";
import type { Pair } from "./event-filter.ts";
import {
  type AnomalyQuery,
  type AnomalyRows,
  createAnomalyCounter,
  readAnomalies,
} from "./read-anomalies.ts";
import { readBids } from "./read-bids.ts";
import {
  type LedgerQuery,
  type LedgerRows,
  type ListingSet,
  readOfListing,
  readOfListings,
} from "./read-events.ts";
import { readNewestOfListing, readPlainPage } from "./read-plain-page.ts";
import { readBuckets } from "./read-series.ts";
import { readSums } from "./read-sums.ts";
import type { ListingSeries, SeriesQuery } from "./series.ts";
import type { LedgerSums, SumsQuery } from "./sums.ts";

export type { AnomalyQuery, LedgerQuery, ListingSet };

/** Rows as of `progress`. */
export type LedgerPage = LedgerRows & { progress: Checkpoint };
export type AnomalyPage = AnomalyRows & { progress: Checkpoint; byKind: AnomalyCounts };

/** Why there is no page: before the first checkpoint, or while the index that it needs is missing. */
export type NoPage = "not_indexed_yet" | "backfilling";

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
};

/** A reader over Ponder's tables, on PostgreSQL and on PGlite alike. It never writes. */
export function createLedgerQueries({ database, tables }: LedgerReaderParameters): LedgerQueries {
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

    bidsOfListing: (pair, until) =>
      inOneSnapshot(async (tx, progress) => ({
        progress,
        events: await readBids(tx, ledger, pair, until),
      })),
    sums: (listings, query) =>
      inOneSnapshot(async (tx, progress) => {
        if (!progress.backfilled) return "backfilling";
        return { progress, ...(await readSums(tx, ledger, listings, query)) };
      }),
  };
}
