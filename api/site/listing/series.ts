/**
 * Keeps the series behind the charts from page to page and from block to block: the sums of a busy raise take long, and
 * most blocks change nothing of most raises.
 * @module
 */
import { LRUCache } from "lru-cache";
import { pairOf } from "../../ledger/pages.ts";
import type { LedgerReader, NoPage } from "../../ledger/read.ts";
import { cumulative, type MoneyBucket, type SeriesQuery } from "../../ledger/series.ts";
import type { Listing } from "../../market/schema.ts";

type KeptSeries = {
  buckets: readonly MoneyBucket[];
  /** whether the tables were behind the market when they were read: sums that are never kept */
  isBehind: boolean;
};

export type SeriesStore = {
  /** @param changedAt when the listing changed last; another moment means other sums */
  of(listing: Listing, changedAt: string, query: SeriesQuery): Promise<KeptSeries | NoPage>;
};

const MOST = 500;

/**
 * Whether it may be kept: not what was read while a reorg had taken rows back, and not what does not come to the
 * listing's own figures.
 */
function isWhole(found: KeptSeries | NoPage, listing: Listing): boolean {
  return typeof found !== "string" && !found.isBehind && cumulative(found.buckets, listing).agrees;
}

/** A store over the ledger. Whoever asks while the sums are being made waits for them. */
export function keepSeries({ seriesOfListing }: Pick<LedgerReader, "seriesOfListing">): SeriesStore {
  // Judged by the block of this very query: a later block that did not touch the listing has the same sums.
  const read = async (listing: Listing, query: SeriesQuery): Promise<KeptSeries | NoPage> => {
    const found = await seriesOfListing(pairOf(listing), query);
    if (typeof found === "string") return found;
    return { buckets: found.buckets, isBehind: found.progress.head.number < query.until.block };
  };
  const kept = new LRUCache<string, Promise<KeptSeries | NoPage>>({ max: MOST });
  return {
    of(listing, changedAt, query) {
      const { escrowAddress, onchainId, raisedAmount, refundedAmount, repaidAmount } = listing;
      // The figures too: a reorg may take an event back and bring another at the same time.
      const figures = [raisedAmount, refundedAmount, repaidAmount];
      const span = [query.from, query.to, query.points].map(String);
      const key = JSON.stringify([escrowAddress, onchainId, changedAt, ...figures, ...span]);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const made = read(listing, query);
      kept.set(key, made);
      const forget = () => kept.delete(key);
      made.then((found) => !isWhole(found, listing) && forget(), forget);
      return made;
    },
  };
}
