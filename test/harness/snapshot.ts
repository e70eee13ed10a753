/** @module Made-up rows, and the updater's snapshot of them. */

import { setImmediate } from "node:timers/promises";
import type { ChainRows } from "../../api/market/chain-rows.ts";
import { Listings } from "../../api/market/listings.ts";
import { WHOLE_CONTRACTS } from "../../api/market/refolds.ts";
import type { Listing } from "../../api/market/schema.ts";
import type { Snapshot } from "../../api/market/snapshot.ts";
import type { Registry } from "../../api/registry/schema.ts";
import type { RegistryState, RegistryStore } from "../../api/registry/store.ts";
import { startMarketUpdater } from "../../api/updater/market-updater.ts";
import type { TableSnapshot } from "../../api/updater/tables.ts";
import type { Completeness } from "../../config/completeness.ts";
import { createLogger, type Logger } from "../../config/log.ts";
import type { PublicSettings } from "../../config/public-settings.ts";
import { checkpointAt } from "./ledger-table.ts";
import { everyState, FINALIZED, HEAD } from "./rows.ts";

export const SITE: PublicSettings = {
  publicUrl: "https://raises.example",
  appUrl: "https://app.example",
  contact: null,
  explorer: null,
  publicNode: null,
  embedOrigins: "*",
  chainId: 97,
  desk: null,
  registrySigner: null,
  rateLimit: null,
  maxStreams: 10_000,
  followsHolders: () => true,
};
export const REGISTRY_STATE: RegistryState = {
  status: "ok",
  version: "9f86d081884c7d65",
  hash: `0x${"9f".repeat(32)}`,
  revision: null,
  signer: null,
  originators: 2,
  listings: 8,
  problem: null,
  images: 0,
  imageProblem: null,
};

/** A log whose lines a test reads. */
export function recordedLog(): { log: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger({ format: "json", level: "debug", write: (line) => lines.push(JSON.parse(line)) });
  return { log, lines };
}

/** A store that never looks anywhere; `current` can be replaced. */
export function fixedRegistry(registry: Registry): RegistryStore & { use(next: Registry): void } {
  let current = registry;
  return {
    current: () => current,
    state: () => REGISTRY_STATE,
    activity: () => ({ accepted: 1, refused: 0, secondsSinceConfirmed: 0 }),
    use: (next) => {
      current = next;
    },
    refresh: async () => {},
    stop: () => {},
  };
}

/** The same with too many raises for answers about the past: all are the same one. */
export function withoutPast(snapshot: Snapshot): Snapshot {
  const raises = Array.from({ length: 200_001 }, () => snapshot.market.listings.at(0) as Listing);
  return { ...snapshot, market: { ...snapshot.market, listings: new Listings(raises) } };
}

export type TableDraft = Partial<Omit<TableSnapshot, "rows"> & ChainRows>;

/** Ponder's checkpoint after the last event that can be. */
const END_OF_FINALIZED = checkpointAt({ time: FINALIZED.timestamp, block: FINALIZED.number }, "9");

/** All that is final is proven. */
export const COMPLETE: Completeness = {
  ...{ mode: "events", upTo: END_OF_FINALIZED, proven: "12", unproven: "0", omitting: [] },
};

/** The tables at `HEAD`. */
export function tablesOf(draft: TableDraft = {}): TableSnapshot {
  const { listings = everyState().rows, repayments = [], offers = [], trades = [], ...rest } = draft;
  const { holders = new Map(), bids = new Map(), flows = [], ...overrides } = rest;
  return {
    head: HEAD,
    finalized: FINALIZED,
    irreversible: FINALIZED,
    finality: "finalized",
    disputed: null,
    completeness: COMPLETE,
    backfilled: true,
    filled: overrides.backfilled ?? true,
    isReverted: false,
    reverts: 0,
    indexer: null,
    revisions: { listings: "1/a" },
    lastEvent: null,
    isWhole: true,
    rows: { listings, repayments, offers, trades, bids, flows, holders },
    anomalies: {},
    recent: [],
    ...overrides,
  };
}

/** The snapshot that the updater makes of the tables. */
export async function snapshotOf(
  tables: TableSnapshot,
  registry = everyState().registry,
  publicSettings = SITE,
  contracts = WHOLE_CONTRACTS,
): Promise<Snapshot> {
  const { log } = recordedLog();
  const updater = startMarketUpdater({
    tables: { position: async () => tables, read: async () => tables },
    registry: fixedRegistry(registry),
    publicSettings,
    contracts,
    log,
  });
  let snapshot = updater.current();
  for (let turn = 0; snapshot === null && turn < 100; turn++) {
    await setImmediate();
    snapshot = updater.current();
  }
  updater.stop();
  if (snapshot === null) throw new Error("the updater made nothing of the tables");
  return snapshot;
}
