/** @module Pages of events and of anomalies as they are answered: each row with its visible listing and its finality. */
import type { Hex } from "viem";
import type { AnomalyRow, LedgerRow } from "../../src/fold/state.ts";
import { finalityOf } from "../market/listing.ts";
import type { Market } from "../market/market.ts";
import type { Finality, Listing } from "../market/schema.ts";
import { pairKey } from "../registry/schema.ts";
import { toAnomaly } from "./anomaly.ts";
import { encodeAnomalyCursor, encodeEventCursor } from "./cursor.ts";
import { toEvent } from "./event.ts";
import type { Pair } from "./event-filter.ts";
import type { AnomalyPage, LedgerPage, ListingSet } from "./read.ts";
import { setOf } from "./read-events.ts";

export function pairOf({ escrowAddress, onchainId }: Listing): Pair {
  return { escrowAddress: escrowAddress as Hex, onchainId };
}

/** The visible listings: all, or those of one originator; none for an unknown one. */
export function visibleIn(market: Market, originator?: string): ListingSet {
  if (originator !== undefined) {
    return setOf((market.originatorByPublicId.get(originator)?.listings ?? []).map(pairOf));
  }
  return {
    size: market.listings.length,
    has: (pair) => market.listingByPair.has(pairKey(pair)),
    pairs: () => market.listings.map(pairOf),
  };
}

/** Without events of invisible listings. @param only events of this finality: one may have become final since the request */
export function toEventPage(page: LedgerPage, market: Market, exposeAccounts: boolean, only?: Finality) {
  const events = page.rows.flatMap((row) => {
    const listing = listingOf(market, row);
    const finality = finalityOf(row.blockNumber, page.progress.finalized.number);
    if (listing === undefined || (only !== undefined && finality !== only)) return [];
    const { publicId, refnum } = listing;
    return toEvent(row, { publicId, refnum, finality, exposeAccounts });
  });
  return { events, nextCursor: page.next && encodeEventCursor(page.next) };
}

/** The anomalies of a page, with those of listings that are not visible. */
export function toAnomalyPage({ rows, progress, next, byKind }: AnomalyPage, market: Market) {
  const anomalies = rows.map((row) =>
    toAnomaly(row, {
      listing: listingOf(market, row) ?? null,
      finality: finalityOf(row.blockNumber, progress.finalized.number),
    }),
  );
  return { byKind, anomalies, nextCursor: next && encodeAnomalyCursor(next) };
}

function listingOf(market: Market, row: LedgerRow | AnomalyRow): Listing | undefined {
  return market.listingByPair.get(pairKey(row));
}
