/** @module Caches the charts' reads: the sums of a busy raise take long, and most blocks change few raises. */
import { LRUCache } from "lru-cache";
import type { LedgerQueries, ListingBids, NoPage } from "../../ledger/read.ts";
import type { ListingSeries, SeriesQuery } from "../../ledger/series.ts";
import type { Listing } from "../../market/schema.ts";
import { pairOf } from "../../registry/schema.ts";

type UpTo = { until: { block: bigint } };

/** The key of a kept read, apart from the listing's own block and figures. */
type State = {
  /** the time of the listing's last change */
  changedAt: string;
  /** of the snapshot: a reorg may replace an event by another one in a block of the same number and time */
  reverts: number | null;
};

/** Cached ledger reads. Concurrent callers share one. */
type Store<Source, Query, Found> = {
  of(ledger: Source, listing: Listing, state: State, query: Query): Promise<Found | NoPage>;
};

type SeriesSource = Pick<LedgerQueries, "seriesOfListing">;
type BidsSource = Pick<LedgerQueries, "bidsOfListing">;
export type SeriesStore = Store<SeriesSource, SeriesQuery, ListingSeries>;
export type BidsStore = Store<BidsSource, UpTo, ListingBids>;

export function keepSeries(): SeriesStore {
  return keep(
    (ledger, listing, query) => ledger.seriesOfListing(pairOf(listing), query),
    ({ from, to, points }) => [from, to, points],
  );
}

export function keepBids(): BidsStore {
  return keep(
    (ledger, listing, { until }) => ledger.bidsOfListing(pairOf(listing), until),
    () => [],
  );
}

const MOST = 500;

/** @param keyOf the query without its block: blocks that did not touch the listing give the same rows */
function keep<Source, Query, Found extends object>(
  read: (ledger: Source, listing: Listing, query: Query) => Promise<Found | NoPage>,
  keyOf: (query: Query) => readonly (bigint | number)[],
): Store<Source, Query, Found> {
  const kept = new LRUCache<string, Promise<Found | NoPage>>({ max: MOST });
  return {
    of(ledger, listing, { changedAt, reverts }, query) {
      const { escrowAddress, onchainId, updatedBlock, raisedAmount, refundedAmount, repaidAmount } = listing;
      const of = [changedAt, reverts, updatedBlock, raisedAmount, refundedAmount, repaidAmount];
      const key = JSON.stringify([escrowAddress, onchainId, ...of, ...keyOf(query).map(String)]);
      const earlier = kept.get(key);
      if (earlier !== undefined) return earlier;
      const reading = read(ledger, listing, query);
      kept.set(key, reading);
      const forget = () => kept.delete(key);
      reading.then((found) => typeof found === "string" && forget(), forget);
      return reading;
    },
  };
}
