/**
 * Keeps the series behind the charts from page to page and from block to block: the sums of a busy raise take long, and
 * most blocks change nothing of most raises.
 * @module
 */
import { LRUCache } from "lru-cache";
import { pairOf } from "../../ledger/pages.ts";
import type { LedgerReader, NoPage } from "../../ledger/read.ts";
import type { MoneyBucket, SeriesQuery } from "../../ledger/series.ts";
import type { Listing } from "../../market/schema.ts";

type KeptSeries = {
  buckets: readonly MoneyBucket[];
  /** whether a reorg had taken rows back below the queried block: such sums are never kept */
  isBehind: boolean;
};

export type SeriesStore = {
  /** @param changedAt the time of the listing's last change; with another one the sums are made again */
  of(listing: Listing, changedAt: string, query: SeriesQuery): Promise<KeptSeries | NoPage>;
};

const MOST = 500;

/** A store over the ledger. Callers who come while the sums are being made share them. */
export function keepSeries({ seriesOfListing }: Pick<LedgerReader, "seriesOfListing">): SeriesStore {
  // Judged by the block of this very query: a later block that did not touch the listing has the same sums.
  const read = async (listing: Listing, query: SeriesQuery): Promise<KeptSeries | NoPage> => {
    const series = await seriesOfListing(pairOf(listing), query);
    if (typeof series === "string") return series;
    return { buckets: series.buckets, isBehind: series.progress.head.number < query.until.block };
  };
  const kept = new LRUCache<string, Promise<KeptSeries | NoPage>>({ max: MOST });
  return {
    of(listing, changedAt, query) {
      const { escrowAddress, onchainId, raisedAmount, refundedAmount, repaidAmount } = listing;
      // The figures too: a reorg may take an event back and bring another at the same time.
      const figures = [raisedAmount, refundedAmount, repaidAmount];
      const span = [query.from, query.to, query.points].map(String);
      const key = JSON.stringify([escrowAddress, onchainId, changedAt, ...figures, ...span]);
      const earlier = kept.get(key);
      if (earlier !== undefined) return earlier;
      const reading = read(listing, query);
      kept.set(key, reading);
      const forget = () => kept.delete(key);
      reading.then((series) => (typeof series === "string" || series.isBehind) && forget(), forget);
      return reading;
    },
  };
}
