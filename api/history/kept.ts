/**
 * What is kept of the past: final rows and final markets.
 * @module
 */
import { LRUCache } from "lru-cache";
import type { ChainRows, Market } from "../market/project.ts";
import type { Registry } from "../registry/schema.ts";

/** The market at a final moment, with the registry that it was projected with. */
type KeptMarket = { rows: ChainRows; registry: Registry; market: Market };

export type KeptPasts = {
  /** by the id of their last event, which is final */
  rows: LRUCache<string, ChainRows>;
  /** by the moment */
  markets: LRUCache<string, KeptMarket>;
};

const MOST = 16;
/** In all `rows`, and in all `markets` once more; a row and what is projected of it are some kilobytes. */
const MOST_ROWS = 50_000;

/** Nothing yet. The newest of each is always kept, however large: what is above the bound takes it all. */
export function keepPasts(mostRows = MOST_ROWS): KeptPasts {
  const rowsOf = ({ listings, repayments, offers, trades }: ChainRows) =>
    Math.min(1 + listings.length + repayments.length + offers.length + trades.length, mostRows);
  return {
    rows: new LRUCache({ max: MOST, maxSize: mostRows, sizeCalculation: rowsOf }),
    markets: new LRUCache({ max: MOST, maxSize: mostRows, sizeCalculation: ({ rows }) => rowsOf(rows) }),
  };
}
