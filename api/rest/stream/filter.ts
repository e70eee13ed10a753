/** @module The filter of a follower, and the keys of a row by which the followers that may want it are found. */
import { jsonKey } from "../../../config/json-key.ts";
import type { EventKind } from "../../../src/fold/vocabulary.ts";
import type { Accepts, Originators } from "../../market/listings-filters.ts";
import { type ListingsQuery, matcherOf } from "../../market/listings-query.ts";
import { type Pair, pairKey } from "../../registry/schema.ts";
import type { Item } from "./followed.ts";
import type { RowFrame } from "./frames.ts";

export type Filter = {
  /** `pairKey` of a listing */
  pair: string | null;
  /** whether a listing matches the filters of `/v1/listings`; null without one */
  accepts: Accepts | null;
  kinds: ReadonlySet<EventKind> | null;
  /** rows only once they are final */
  finalOnly: boolean;
  /** whether a head comes for each block: otherwise only after rows, and in place of keep-alives */
  everyHead: boolean;
};

/** A filter that followers share. */
export type SharedFilter = Filter & {
  /** the same for equal filters */
  key: string;
  /** public id of the only business whose rows match; undefined if any may */
  originator?: string | undefined;
};

const ANY = "any";
const EVERY_HEAD = "head";

type Query = {
  pair: Pair | null;
  kind?: readonly EventKind[] | undefined;
  finality?: "final" | undefined;
  heads?: "all" | "rows" | undefined;
  listings: ListingsQuery;
};

/** The filter of a request. */
export function filterOf(
  { pair, kind, finality, heads, listings }: Query,
  originators: Originators,
): SharedFilter {
  const ofListings = Object.keys(listings).length > 0;
  const isNarrow = pair !== null || kind !== undefined || ofListings;
  const filter = {
    pair: pair && pairKey(pair),
    kinds: kind === undefined ? null : new Set(kind),
    finalOnly: finality === "final",
    everyHead: heads === undefined ? !isNarrow : heads === "all",
  };
  const kinds = filter.kinds && [...filter.kinds].sort();
  return {
    ...filter,
    key: jsonKey([Object.entries({ ...filter, kinds }), Object.entries(listings).sort()]),
    accepts: ofListings ? matcherOf(listings, originators) : null,
    originator: listings.originator,
  };
}

/** A row is of a listing that matches after it, or matched before it: a follower hears of the event by which one leaves. */
export function isWanted({ pair, kind, states }: RowFrame, { accepts, ...filter }: Filter): boolean {
  return (
    (filter.pair === null || filter.pair === pair) &&
    (filter.kinds === null || filter.kinds.has(kind)) &&
    (accepts === null || states.some(accepts))
  );
}

/** The bytes of an item for a follower; null if it gets none. */
export function bytesFor(item: Item, filter: Filter): Uint8Array | null {
  const wants = (entries: readonly RowFrame[]) => entries.some((entry) => isWanted(entry, filter));
  switch (item.kind) {
    case "ledger":
    case "settled":
      return filter.finalOnly === (item.kind === "settled") && isWanted(item.entry, filter)
        ? item.bytes
        : null;
    case "reorg":
      return filter.finalOnly ? null : item.bytes;
    case "final":
      return wants(item.settled) ? item.bytes : null;
    case "head": {
      const { finalOnly, everyHead } = filter;
      const isNews = everyHead || wants(item.settled) || (!finalOnly && (item.isReorg || wants(item.added)));
      if (!isNews) return null;
      return finalOnly ? item.ofFinal : item.bytes;
    }
    case "resend":
      if (filter.finalOnly !== item.isFinal) return null;
      return filter.pair === null || item.pairs.has(filter.pair) ? item.bytes : null;
  }
}

/** Keys under which a filter is found: an item can only be for it if it has one of them. */
export function keysOf({ pair, originator, kinds, everyHead }: SharedFilter): readonly string[] {
  const heads = everyHead ? [EVERY_HEAD] : [];
  if (pair !== null) return [...heads, `pair ${pair}`];
  if (originator !== undefined) return [...heads, `originator ${originator}`];
  if (kinds !== null) return [...heads, ...[...kinds].map((kind) => `kind ${kind}`)];
  return [...heads, ANY];
}

/** Keys of the filters that an item may be for; null for all of them. */
export function keysFor(item: Item): readonly string[] | null {
  switch (item.kind) {
    case "ledger":
    case "settled": {
      const { pair, kind, states } = item.entry;
      const originators = states.map(({ originator }) => `originator ${originator}`);
      return [ANY, `pair ${pair}`, `kind ${kind}`, ...originators];
    }
    case "head":
      return [EVERY_HEAD];
    // Its rows are there as well.
    case "final":
      return [];
    default:
      return null;
  }
}
