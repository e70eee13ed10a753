/**
 * Keeps what is read for the charts from page to page and from block to block: the sums of a busy raise take long, and
 * most blocks change nothing of most raises.
 * @module
 */
import { LRUCache } from "lru-cache";
import type { ListingBids } from "../../ledger/bids.ts";
import { pairOf } from "../../ledger/pages.ts";
import type { LedgerReader, NoPage } from "../../ledger/read.ts";
import type { MoneyBucket, SeriesQuery } from "../../ledger/series.ts";
import type { Listing } from "../../market/schema.ts";

/** Whether a reorg had taken rows back below the queried block: such a reading is never kept. */
type Reading = { isBehind: boolean };
type UpTo = { until: { block: bigint } };

/** Readings of the ledger. Callers who come while one is being made share it. */
type Store<Query extends UpTo, Found extends Reading> = {
  /** @param changedAt the time of the listing's last change; with another one it is read again */
  of(listing: Listing, changedAt: string, query: Query): Promise<Found | NoPage>;
};

export type SeriesStore = Store<SeriesQuery, Reading & { buckets: readonly MoneyBucket[] }>;
export type BidsStore = Store<UpTo, Reading & Pick<ListingBids, "events">>;

/** The money of each raise over time. */
export function keepSeries({ seriesOfListing }: Pick<LedgerReader, "seriesOfListing">): SeriesStore {
  return keep(
    (listing, query) => seriesOfListing(pairOf(listing), query),
    ({ from, to, points }) => [from, to, points],
  );
}

/** The bids of each auction. */
export function keepBids({ bidsOfListing }: Pick<LedgerReader, "bidsOfListing">): BidsStore {
  return keep(
    (listing, { until }) => bidsOfListing(pairOf(listing), until),
    () => [],
  );
}

const MOST = 500;

/** @param keyOf what of a query matters besides its block: one that did not touch the listing has the same rows */
function keep<Query extends UpTo, Found extends { progress: { head: { number: bigint } } }>(
  read: (listing: Listing, query: Query) => Promise<Found | NoPage>,
  keyOf: (query: Query) => readonly (bigint | number)[],
): Store<Query, Found & Reading> {
  // Judged by the block of this very query.
  const readOnce = async (listing: Listing, query: Query): Promise<(Found & Reading) | NoPage> => {
    const found = await read(listing, query);
    if (typeof found === "string") return found;
    return { ...found, isBehind: found.progress.head.number < query.until.block };
  };
  const kept = new LRUCache<string, Promise<(Found & Reading) | NoPage>>({ max: MOST });
  return {
    of(listing, changedAt, query) {
      const { escrowAddress, onchainId, raisedAmount, refundedAmount, repaidAmount } = listing;
      // The figures too: a reorg may take an event back and bring another at the same time.
      const figures = [raisedAmount, refundedAmount, repaidAmount];
      const key = JSON.stringify([
        escrowAddress,
        onchainId,
        changedAt,
        ...figures,
        ...keyOf(query).map(String),
      ]);
      const earlier = kept.get(key);
      if (earlier !== undefined) return earlier;
      const reading = readOnce(listing, query);
      kept.set(key, reading);
      const forget = () => kept.delete(key);
      reading.then((found) => (typeof found === "string" || found.isBehind) && forget(), forget);
      return reading;
    },
  };
}
