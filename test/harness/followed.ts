/** @module A market with events, for tests of what follows it: feeds, calendars and pictures. */
import type { Hono } from "hono";
import type { LedgerPage, LedgerQueries } from "../../api/ledger/read.ts";
import type { LedgerQuery } from "../../api/ledger/read-events.ts";
import type { Snapshot } from "../../api/market/snapshot.ts";
import type { LedgerRow } from "../../src/fold/state.ts";
import { appIn, type Situation } from "./app.ts";
import { asking } from "./asking.ts";
import { fixedLedger } from "./fixed-ledger.ts";
import { HEAD, NOW, subscribedRow } from "./rows.ts";
import { snapshotOf, tablesOf } from "./snapshot.ts";

const BACKER = `0x${"b1".repeat(20)}` as const;
/** Blocks after which no reorganisation can revert an event, as in `tablesOf`. */
export const FINALITY = 30n;

/** A subscription of this amount in base units, `below` blocks below the head. */
export function subscription(below: bigint, onchainId = 1n, amount = "1000000000000000000"): LedgerRow {
  const at = { blockNumber: HEAD.number - below, blockTime: NOW - below };
  const args = { backer: BACKER, payer: BACKER, amount, bidRateBps: 0, totalRaised: amount };
  return subscribedRow({ onchainId, ...at, args });
}

/** A ledger of these rows, newest first, that counts how often it is read. */
export function ledgerOf(rows: readonly LedgerRow[]): { reader: LedgerQueries; reads(): number } {
  let reads = 0;
  const progress = tablesOf();
  const page = (found: readonly LedgerRow[], { until, limit }: LedgerQuery): LedgerPage => {
    reads++;
    const last = until !== null && "block" in until ? until.block : progress.head.number;
    return {
      rows: found.filter(({ blockNumber }) => blockNumber <= last).slice(0, limit),
      next: null,
      progress,
    };
  };
  const reader: LedgerQueries = {
    ...fixedLedger(),
    ofListing: async (pair, query) =>
      page(
        rows.filter(({ onchainId }) => onchainId === BigInt(pair.onchainId)),
        query,
      ),
    ofListings: async (listings, query) =>
      page(
        rows.filter((row) => listings.has(row)),
        query,
      ),
  };
  return { reader, reads: () => reads };
}

/** An app whose snapshot a test replaces. */
export async function followedApp(first: Snapshot, overrides: Situation["overrides"] = {}) {
  let snapshot: Snapshot | null = first;
  const app: Hono = await appIn({ overrides: { ...overrides, updater: { current: () => snapshot } } });
  return {
    app,
    ask: asking(app),
    show(next: Snapshot | null) {
      snapshot = next;
    },
  };
}

/** The same market this many blocks later: only time has passed. */
export async function later(blocks: bigint, draft: Parameters<typeof tablesOf>[0] = {}): Promise<Snapshot> {
  const head = { number: HEAD.number + blocks, timestamp: HEAD.timestamp + blocks };
  return snapshotOf(
    tablesOf({
      head,
      finalized: { number: head.number - FINALITY, timestamp: head.timestamp - FINALITY },
      ...draft,
    }),
  );
}
