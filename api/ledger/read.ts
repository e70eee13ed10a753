/**
 * Reads pages of the ledger and of the anomalies, and sums of a listing's money, each in one transaction with the checkpoint that it is as of.
 * @module
 */
import { and, count, desc, inArray, type ReadonlyDrizzle, sql } from "ponder";
import type * as schema from "../../ponder.schema.ts";
import type { AnomalyRow, LedgerRow } from "../../src/fold/state.ts";
import type { AnomalyKind } from "../../src/fold/vocabulary.ts";
import { type Database, ONE_SNAPSHOT, type Progress, readProgress } from "../feed/checkpoint.ts";
import type { AnomalyCounts } from "./anomaly.ts";
import {
  eventsOfListing,
  eventsOfListings,
  isOfOneOf,
  type LedgerFilter,
  type Pair,
  type Place,
} from "./conditions.ts";
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
type Page<Row, Where> = { progress: Progress; rows: readonly Row[]; next: Where | null };
export type LedgerPage = Page<LedgerRow, Place>;
export type AnomalyPage = Page<AnomalyRow, AnomalyPlace> & { byKind: AnomalyCounts };

/** Why there is no page: before the first checkpoint, or while the index that it needs is missing. */
export type NoPage = "not_indexed_yet" | "backfilling";

export type LedgerReader = {
  ofListing(pair: Pair, query: LedgerQuery): Promise<LedgerPage | NoPage>;
  /** The events of all these listings; only once the backfill is over. */
  ofListings(pairs: readonly Pair[], query: LedgerQuery): Promise<LedgerPage | NoPage>;
  /** `byKind` counts all there are, whatever is asked for. */
  anomalies(query: AnomalyQuery): Promise<AnomalyPage | NoPage>;
  /** The money of one listing over time; also while it backfills. */
  seriesOfListing(pair: Pair, query: SeriesQuery): Promise<ListingSeries | NoPage>;
};

export type LedgerReaderParameters = {
  database: Database;
  tables: Pick<typeof schema, "ledger" | "anomaly">;
};

/** A reader over Ponder's tables, on PostgreSQL and on PGlite alike. It never writes. */
export function createLedgerReader({ database, tables }: LedgerReaderParameters): LedgerReader {
  const { ledger, anomaly } = tables;
  const inOneSnapshot = <Found>(read: (tx: ReadonlyDrizzle, progress: Progress) => Promise<Found | NoPage>) =>
    database.transaction<Found | NoPage>(async (tx) => {
      const progress = await readProgress(tx);
      return progress === null ? "not_indexed_yet" : read(tx, progress);
    }, ONE_SNAPSHOT);

  return {
    ofListing: (pair, query) =>
      inOneSnapshot(async (tx, progress) => {
        // The primary key has a listing's events in the order of the chain, and is there from the beginning.
        const rows = await tx
          .select()
          .from(ledger)
          .where(eventsOfListing(ledger, pair, query, progress.backfilled))
          .orderBy(desc(ledger.eventId))
          .limit(query.limit + 1);
        return { progress, ...cut(rows, query.limit, placeOf) };
      }),

    ofListings: (pairs, query) =>
      inOneSnapshot(async (tx, progress) => {
        if (!progress.backfilled) return "backfilling";
        const rows = await tx
          .select()
          .from(ledger)
          .where(eventsOfListings(ledger, pairs, query))
          .orderBy(desc(ledger.blockNumber), desc(ledger.logIndex))
          .limit(query.limit + 1);
        return { progress, ...cut(rows, query.limit, placeOf) };
      }),

    anomalies: ({ kinds, pairs, before, limit }) =>
      inOneSnapshot(async (tx, progress) => {
        const counts = await tx
          .select({ kind: anomaly.kind, count: count() })
          .from(anomaly)
          .groupBy(anomaly.kind)
          .orderBy(anomaly.kind);
        const rows = await tx
          .select()
          .from(anomaly)
          .where(
            and(
              kinds === null ? undefined : inArray(anomaly.kind, [...kinds]),
              pairs === null ? undefined : isOfOneOf(anomaly, pairs),
              before === null
                ? undefined
                : sql`(${anomaly.eventId}, ${anomaly.kind}) < (${before.eventId}, ${before.kind})`,
            ),
          )
          .orderBy(desc(anomaly.eventId), desc(anomaly.kind))
          .limit(limit + 1);
        const byKind = Object.fromEntries(counts.map((row) => [row.kind, row.count]));
        return { progress, byKind, ...cut(rows, limit, ({ eventId, kind }) => ({ eventId, kind })) };
      }),

    seriesOfListing: (pair, query) =>
      inOneSnapshot(async (tx, progress) => ({
        progress,
        buckets: await readBuckets(tx, ledger, pair, query),
      })),
  };
}

function placeOf({ blockNumber, logIndex }: LedgerRow): Place {
  return { blockNumber, logIndex };
}

/** One row more than asked for says that there is a next page; it is not shown. */
function cut<Row, Where>(rows: readonly Row[], limit: number, where: (row: Row) => Where) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, next: rows.length > limit && last !== undefined ? where(last) : null };
}
