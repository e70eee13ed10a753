/**
 * Reads pages of the ledger and of the anomalies, and sums of a listing's money, each in one transaction with the checkpoint that it is as of.
 * @module
 */
import type { ReadonlyDrizzle } from "ponder";
import type * as schema from "../../ponder.schema.ts";
import type { AnomalyRow, LedgerRow } from "../../src/fold/state.ts";
import type { AnomalyKind } from "../../src/fold/vocabulary.ts";
import { type Checkpoint, type Database, ONE_SNAPSHOT, readCheckpoint } from "../database/checkpoint.ts";
import type { AnomalyCounts } from "./anomaly.ts";
import type { LedgerFilter, Pair, Place } from "./conditions.ts";
import { createAnomalyCounter, readAnomalies } from "./read-anomalies.ts";
import { readOfListing, readOfListings } from "./read-events.ts";
import { readBuckets } from "./read-series.ts";
import type { ListingSeries, SeriesQuery } from "./series.ts";

/** At most `limit` rows, newest first. */
export type LedgerQuery = LedgerFilter & { limit: number };
/** Where an anomaly stands: an event has at most one of a kind. */
export type AnomalyPlace = { eventId: string; kind: AnomalyKind };
export type AnomalyQuery = {
  kinds: ReadonlySet<AnomalyKind> | null;
  /** of these listings; null: of every listing there is on the chain */
  pairs: readonly Pair[] | null;
  before: AnomalyPlace | null;
  limit: number;
};

/** Rows as of `progress`. The next page has what stands below `next`; null when nothing does. */
type Page<Row, Where> = { progress: Checkpoint; rows: readonly Row[]; next: Where | null };
export type LedgerPage = Page<LedgerRow, Place>;
export type AnomalyPage = Page<AnomalyRow, AnomalyPlace> & { byKind: AnomalyCounts };

/** Why there is no page: before the first checkpoint, or while the index that it needs is missing. */
export type NoPage = "not_indexed_yet" | "backfilling";

export type LedgerReader = {
  ofListing(pair: Pair, query: LedgerQuery): Promise<LedgerPage | NoPage>;
  /** The events of all these listings; only once the backfill is over. A page with a next one may be short. */
  ofListings(pairs: readonly Pair[], query: LedgerQuery): Promise<LedgerPage | NoPage>;
  /** `byKind` counts all there are, whatever is asked for. */
  anomalies(query: AnomalyQuery): Promise<AnomalyPage | NoPage>;
  /** The money of one listing over time; also while it backfills. */
  seriesOfListing(pair: Pair, query: SeriesQuery): Promise<ListingSeries | NoPage>;
};

export type LedgerReaderParameters = {
  database: Database;
  tables: Pick<typeof schema, "ledger" | "anomaly" | "tally">;
};

/** A reader over Ponder's tables, on PostgreSQL and on PGlite alike. It never writes. */
export function createLedgerReader({ database, tables }: LedgerReaderParameters): LedgerReader {
  const { ledger } = tables;
  const countAnomalies = createAnomalyCounter(tables);
  const inOneSnapshot = <Found>(
    read: (tx: ReadonlyDrizzle, progress: Checkpoint) => Promise<Found | NoPage>,
  ) =>
    database.transaction<Found | NoPage>(async (tx) => {
      const progress = await readCheckpoint(tx);
      return progress === null ? "not_indexed_yet" : read(tx, progress);
    }, ONE_SNAPSHOT);

  return {
    ofListing: (pair, query) =>
      inOneSnapshot(async (tx, progress) => ({
        progress,
        ...(await readOfListing(tx, ledger, pair, query, progress.backfilled)),
      })),

    ofListings: (pairs, query) =>
      inOneSnapshot(async (tx, progress) => {
        if (!progress.backfilled) return "backfilling";
        return { progress, ...(await readOfListings(tx, ledger, pairs, query)) };
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
  };
}
