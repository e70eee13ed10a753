/**
 * Reads pages of events for many listings at once. The pages that a query needs at one depth share a read. A listing crowded out
 * by the others is read alone; the cost of a query includes a ledger read for each.
 * @module
 */
import DataLoader from "dataloader";
import { createTurns } from "../../config/in-turn.ts";
import { jsonKey } from "../../config/json-key.ts";
import type { LedgerRow } from "../../src/fold/state.ts";
import type { LedgerPage, LedgerQueries, NoPage } from "../ledger/read.ts";
import { type LedgerQuery, setOf } from "../ledger/read-events.ts";
import type { Listing } from "../market/schema.ts";
import { pairKey, pairOf } from "../registry/schema.ts";

type Page = LedgerPage | NoPage;

export type EventLoader = {
  /** A page of one listing's events. The same page is read once for a request. */
  load(listing: Listing, query: LedgerQuery): Promise<Page>;
};

/** Rows of one read for many listings. */
const MOST_ROWS = 2_000;

/** A loader for one request, with one read at a time. */
export function createEventLoader(ledger: LedgerQueries): EventLoader {
  const loaders = new Map<string, DataLoader<Listing, Page, string>>();
  const inTurn = createTurns();

  const createLoader = (query: LedgerQuery) =>
    new DataLoader<Listing, Page, string>((listings) => inTurn(() => readPages(ledger, listings, query)), {
      cacheKeyFn: pairKey,
      // After all ready resolvers, so that their pages join this batch.
      batchScheduleFn: (dispatch) => void setImmediate(dispatch),
    });

  return {
    load(listing, query) {
      const key = textOf(query);
      const loader = loaders.get(key) ?? createLoader(query);
      loaders.set(key, loader);
      return loader.load(listing);
    },
  };
}

async function readPages(ledger: LedgerQueries, listings: readonly Listing[], query: LedgerQuery) {
  const shared = listings.length > 1 ? await readTogether(ledger, listings, query) : new Map<string, Page>();
  const pages: Page[] = [];
  for (const listing of listings) {
    pages.push(shared.get(pairKey(listing)) ?? (await ledger.ofListing(pairOf(listing), query)));
  }
  return pages;
}

/** Omits listings whose page is incomplete, because others have many newer events, and all while the read's index is missing. */
async function readTogether(ledger: LedgerQueries, listings: readonly Listing[], query: LedgerQuery) {
  const pages = new Map<string, Page>();
  const limit = Math.min(listings.length * (query.limit + 1), MOST_ROWS);
  const all = await ledger.ofListings(setOf(listings.map(pairOf)), { ...query, limit });
  if (all === "backfilling") return pages;
  const rows = typeof all === "string" ? null : Map.groupBy(all.rows, pairKey);
  for (const key of listings.map(pairKey)) {
    const own = rows?.get(key) ?? [];
    if (typeof all === "string") pages.set(key, all);
    else if (all.next === null || own.length > query.limit) pages.set(key, pageOf(all, own, query.limit));
  }
  return pages;
}

function pageOf({ progress }: LedgerPage, own: readonly LedgerRow[], limit: number): LedgerPage {
  const rows = own.slice(0, limit);
  return { progress, rows, next: own.length > limit ? (rows.at(-1) ?? null) : null };
}

function textOf({ kinds, ...rest }: LedgerQuery): string {
  return jsonKey({ ...rest, kinds: kinds && [...kinds].sort() });
}
