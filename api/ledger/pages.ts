/** @module Pages of events and of anomalies as they are answered: each row with its visible listing and its finality. */
import type { ListingFacts } from "../market/archive/facts.ts";
import { finalityOf } from "../market/listing.ts";
import type { Listings } from "../market/listings.ts";
import { type ListingsQuery, matcherOf } from "../market/listings-query.ts";
import type { Market } from "../market/market.ts";
import { countMarket } from "../market/market-query.ts";
import type { Originator } from "../market/originator.ts";
import type { Finality } from "../market/schema.ts";
import { type Pair, pairKey, pairOf } from "../registry/schema.ts";
import { toAnomaly } from "./anomaly.ts";
import { encodeAnomalyCursor, encodeEventCursor } from "./cursor.ts";
import { toEvent } from "./event.ts";
import type { AnomalyPage, LedgerPage } from "./read.ts";
import type { ListingSet } from "./read-events.ts";

/** The visible listings: all, or those of one originator; none for an unknown one. */
export function visibleIn(market: Market, originator?: string): ListingSet {
  if (originator !== undefined) {
    const found = market.originatorByPublicId.get(originator);
    return visibleOf(market, found === undefined ? [] : [found]);
  }
  return {
    size: market.listings.length,
    has: (pair) => market.listingByPair.has(pairKey(pair)),
    pairs: () => pairsOf(market.listings),
  };
}

/** The visible listings of some originators. */
export function visibleOf(market: Market, originators: readonly Originator[]): ListingSet {
  const ids = new Set(originators.map(({ publicId }) => publicId));
  return {
    size: originators.reduce((sum, { listings }) => sum + listings.length, 0),
    has(pair) {
      const facts = market.factsByPair(pairKey(pair));
      return facts !== undefined && ids.has(facts.originator);
    },
    pairs: () => originators.flatMap(({ listings }) => pairsOf(listings)),
  };
}

/** The visible listings that a query finds. */
export function visibleMatching(market: Market, query: ListingsQuery): ListingSet {
  const isMatch = matcherOf(query, market.originatorByPublicId);
  return {
    size: countMarket(market, query),
    has(pair) {
      const facts = market.factsByPair(pairKey(pair));
      return facts !== undefined && isMatch(facts);
    },
    pairs: () => pairsOf(market.listings, isMatch),
  };
}

/** Read of facts: raises of the archive would be opened one by one. */
function pairsOf(listings: Listings, accepts: (facts: ListingFacts) => boolean = () => true): Pair[] {
  const pairs: Pair[] = [];
  for (const facts of listings.facts()) if (accepts(facts)) pairs.push(pairOf(facts));
  return pairs;
}

/** Without events of invisible listings. @param only events of this finality: one may have become final since the request */
export function toEventPage(page: LedgerPage, market: Market, exposeAccounts: boolean, only?: Finality) {
  const events = page.rows.flatMap((row) => {
    const facts = market.factsByPair(pairKey(row));
    const finality = finalityOf(row.blockNumber, page.progress.finalized.number);
    if (facts === undefined || (only !== undefined && finality !== only)) return [];
    const { publicId, refnum } = facts;
    return toEvent(row, { publicId, refnum, finality, exposeAccounts });
  });
  return { events, nextCursor: page.next && encodeEventCursor(page.next) };
}

/** The anomalies of a page, with those of listings that are not visible. */
export function toAnomalyPage({ rows, progress, next, byKind }: AnomalyPage, market: Market) {
  const anomalies = rows.map((row) =>
    toAnomaly(row, {
      listing: market.factsByPair(pairKey(row)) ?? null,
      finality: finalityOf(row.blockNumber, progress.finalized.number),
    }),
  );
  return { byKind, anomalies, nextCursor: next && encodeAnomalyCursor(next) };
}
