import type { AnomalyPage, LedgerPage, LedgerQueries, ListingBids, NoPage } from "../../api/ledger/read.ts";
import type { AnomalyQuery } from "../../api/ledger/read-anomalies.ts";
import type { LedgerQuery } from "../../api/ledger/read-events.ts";
import type { OnwardReader } from "../../api/ledger/read-onward.ts";
import type { ListingSeries, SeriesQuery } from "../../api/ledger/series.ts";
import type { LedgerSums } from "../../api/ledger/sums.ts";
import { tablesOf } from "./snapshot.ts";

/** A reader that finds the same page whatever it is asked for; without one, nothing. */
export function fixedLedger(
  found: {
    events?: Partial<LedgerPage> | NoPage;
    anomalies?: Partial<AnomalyPage> | NoPage;
    series?: Partial<ListingSeries> | NoPage;
    bids?: Partial<ListingBids> | NoPage;
    sums?: Partial<LedgerSums> | NoPage;
  } = {},
): LedgerQueries {
  const empty = { progress: tablesOf(), rows: [], next: null };
  const { events = {}, anomalies = {}, series = {}, bids = {}, sums = {} } = found;
  const page = async () => (typeof events === "string" ? events : { ...empty, ...events });
  return {
    ofListing: page,
    ofListings: page,
    anomalies: async () =>
      typeof anomalies === "string" ? anomalies : { ...empty, byKind: {}, ...anomalies },
    seriesOfListing: async () =>
      typeof series === "string" ? series : { progress: empty.progress, buckets: [], ...series },
    bidsOfListing: async () =>
      typeof bids === "string" ? bids : { progress: empty.progress, events: [], ...bids },
    sums: async () =>
      typeof sums === "string"
        ? sums
        : { progress: empty.progress, rows: [], cutAt: null, timeOf: async () => null, ...sums },
  };
}

/** A reader of a ledger without a row. */
export function emptyOnward(): OnwardReader {
  return {
    page: async () => [],
    continue: async () => ({ progress: tablesOf(), lost: null, rows: [] }),
    place: async () => "unknown",
    lastRow: async () => null,
    refoldedFrom: async () => null,
    firstBlock: async () => null,
  };
}

/** A reader that keeps what it was asked for. */
export function recordedLedger() {
  const asked: {
    events: LedgerQuery[];
    anomalies: AnomalyQuery[];
    pairs: string[][];
    series: SeriesQuery[];
    bids: { block: bigint }[];
  } = { events: [], anomalies: [], pairs: [], series: [], bids: [] };
  const found = fixedLedger();
  const reader: LedgerQueries = {
    ofListing(pair, query) {
      asked.events.push(query);
      asked.pairs.push([`${pair.onchainId}`]);
      return found.ofListing(pair, query);
    },
    ofListings(listings, query) {
      asked.events.push(query);
      asked.pairs.push(listings.pairs().map(({ onchainId }) => `${onchainId}`));
      return found.ofListings(listings, query);
    },
    anomalies(query) {
      asked.anomalies.push(query);
      return found.anomalies(query);
    },
    seriesOfListing(pair, query) {
      asked.series.push(query);
      asked.pairs.push([`${pair.onchainId}`]);
      return found.seriesOfListing(pair, query);
    },
    bidsOfListing(pair, until) {
      asked.bids.push(until);
      asked.pairs.push([`${pair.onchainId}`]);
      return found.bidsOfListing(pair, until);
    },
    sums: found.sums,
  };
  return { asked, reader };
}
