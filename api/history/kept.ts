/**
 * What is kept of the past: final rows, final moments, and the encoded answers of any.
 * @module
 */
import { LRUCache } from "lru-cache";
import type { Bodies, Body } from "../http/body.ts";
import type { ChainRows, Market } from "../market/project.ts";
import type { Registry } from "../registry/schema.ts";

/** A market of the past, and its encoded answers. */
export type Past = { market: Market; body: Bodies };

/** A final moment with the registry that it was projected with. */
type KeptMoment = { rows: ChainRows; registry: Registry; past: Past };

export type KeptPasts = {
  /** by the id of their last event, which is final */
  rows: LRUCache<string, ChainRows>;
  moments: LRUCache<string, KeptMoment>;
  /** A market with bodies that count against the bytes that are kept. */
  pastOf(market: Market): Past;
};

const MOST = 16;
/** In all `rows`, and in all `moments` once more; a row and what is projected of it are some kilobytes. */
const MOST_ROWS = 50_000;
/** Of all bodies, with room for their compressed forms. */
const MOST_BYTES = 64 * 1024 * 1024;

export type KeepPastsParameters = { mostRows?: number; mostBytes?: number };

/** Nothing yet. The newest of each is always kept, however large: what is above the bound takes it all. */
export function keepPasts({
  mostRows = MOST_ROWS,
  mostBytes = MOST_BYTES,
}: KeepPastsParameters = {}): KeptPasts {
  const rowsOf = ({ listings, repayments, offers, trades }: ChainRows) =>
    Math.min(1 + listings.length + repayments.length + offers.length + trades.length, mostRows);
  const bodies = new LRUCache<string, Body>({
    maxSize: mostBytes,
    sizeCalculation: ({ bytes }) => Math.min(1 + 2 * bytes.length, mostBytes),
  });
  let pasts = 0;
  return {
    rows: new LRUCache({ max: MOST, maxSize: mostRows, sizeCalculation: rowsOf }),
    moments: new LRUCache({ max: MOST, maxSize: mostRows, sizeCalculation: ({ rows }) => rowsOf(rows) }),
    pastOf(market) {
      pasts += 1;
      const past = pasts;
      return {
        market,
        body(key, make) {
          const name = `${past} ${key}`;
          const body = bodies.get(name) ?? make();
          bodies.set(name, body);
          return body;
        },
      };
    },
  };
}
