/**
 * Keeps the series behind the charts from page to page and from block to block: the sums of a busy raise take long, and
 * most blocks change nothing of most raises.
 * @module
 */
import { LRUCache } from "lru-cache";
import type { LedgerReader, NoPage } from "../../ledger/read.ts";
import { cumulative, type ListingSeries, type SeriesQuery } from "../../ledger/series.ts";
import { pairOf } from "../../ledger/show.ts";
import type { Listing } from "../../market/schema.ts";

export type SeriesStore = {
  /** @param changedAt when the listing changed last; another moment means other sums */
  of(listing: Listing, changedAt: string, query: SeriesQuery): Promise<ListingSeries | NoPage>;
};

const MOST = 500;

/**
 * Whether it may be kept: not what was read while a reorg had taken rows back, and not what does not come to the
 * listing's own figures.
 */
function isWhole(found: ListingSeries | NoPage, listing: Listing, { until }: SeriesQuery): boolean {
  if (typeof found === "string") return false;
  return found.progress.head.number >= until.block && cumulative(found.buckets, listing).agrees;
}

/** A store over the ledger. Whoever asks while the sums are being made waits for them. */
export function keepSeries({ seriesOfListing }: Pick<LedgerReader, "seriesOfListing">): SeriesStore {
  const kept = new LRUCache<string, Promise<ListingSeries | NoPage>>({ max: MOST });
  return {
    of(listing, changedAt, query) {
      const { escrowAddress, onchainId, raisedAmount, refundedAmount, repaidAmount } = listing;
      // The figures too: a reorg may take an event back and bring another at the same time.
      const figures = [raisedAmount, refundedAmount, repaidAmount];
      const span = [query.from, query.to, query.points].map(String);
      const key = JSON.stringify([escrowAddress, onchainId, changedAt, ...figures, ...span]);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const made = seriesOfListing(pairOf(listing), query);
      kept.set(key, made);
      const forget = () => kept.delete(key);
      made.then((found) => !isWhole(found, listing, query) && forget(), forget);
      return made;
    },
  };
}
