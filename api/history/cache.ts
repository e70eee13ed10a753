/** @module Rows and markets of moments of the past that were asked for lately. */
import { LRUCache } from "lru-cache";
import type { ChainRows } from "../market/chain-rows.ts";
import type { Market } from "../market/market.ts";
import type { Registry } from "../registry/schema.ts";

type CachedMarket = { rows: ChainRows; registry: Registry; market: Market };

type PastCache = {
  /** by the id of their last event, which is final */
  rows: LRUCache<string, ChainRows>;
  markets: LRUCache<string, CachedMarket>;
};

const MAX_ENTRIES = 16;
/** Limit for all entries of `rows`, and the same for `markets`; a row and its projection take some kilobytes. */
const MAX_ROWS = 50_000;

/** An empty cache. A newest entry above the limit is kept, alone. */
export function createPastCache(maxRows = MAX_ROWS): PastCache {
  const sizeOf = ({ listings, repayments, offers, trades, events = [] }: ChainRows) =>
    Math.min(
      1 + listings.length + repayments.length + offers.length + trades.length + events.length,
      maxRows,
    );
  return {
    rows: new LRUCache({ max: MAX_ENTRIES, maxSize: maxRows, sizeCalculation: sizeOf }),
    markets: new LRUCache({
      max: MAX_ENTRIES,
      maxSize: maxRows,
      sizeCalculation: ({ rows }) => sizeOf(rows),
    }),
  };
}
