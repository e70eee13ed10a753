/**
 * Keeps the current Market in memory, following the indexed head and the registry. Requests read it without a query.
 * @module
 */
import type { Log } from "../../config/log.ts";
import type { PublicSettings } from "../../config/public-settings.ts";
import { DatabaseSilentError } from "../database/checkpoint.ts";
import type { Market, Unprojectable } from "../market/market.ts";
import { project } from "../market/project.ts";
import type { MarketSource, Snapshot } from "../market/snapshot.ts";
import type { Registry } from "../registry/schema.ts";
import type { RegistryStore } from "../registry/store.ts";
import { sameRows, type TableSnapshot } from "./tables.ts";

export type Feed = MarketSource & {
  /** seconds since the last successful read of the tables, by a monotonic clock */
  secondsSinceRead(): number;
  stop(): void;
};

export type FeedParameters = {
  /** reads the tables, reusing unchanged parts of the previous snapshot */
  read(previous: TableSnapshot | null): Promise<TableSnapshot | null>;
  registry: RegistryStore;
  publicSettings: PublicSettings;
  log: Log;
  /** Calls back whenever a block is indexed. With it the tables are read on a notice, without it at every interval. */
  onBlock?(indexed: () => void): void;
  /** milliseconds between polls of the indexed head */
  interval?: number;
};

/** Longest milliseconds between reads: notices start only after the backfill, and may be lost. */
const LONGEST_INTERVAL = 1_000;

/**
 * Longest milliseconds to hold back rows that changed under an unchanged head. In a reorg Ponder reverts rows first and records
 * the new head with the next block, seconds later with a slow RPC; in between a raise could look failed. The limit is for
 * chains without a next block.
 */
const REVERT_PATIENCE = 60_000;

/** Follows the tables until stopped. Logs a failure once and retries; the last market stays. */
export function startFeed(parameters: FeedParameters): Feed {
  const { read, registry, publicSettings, log, onBlock, interval = 100 } = parameters;
  let rows: TableSnapshot | null = null;
  let snapshot: Snapshot | null = null;
  let projectedRegistry = registry.current();
  let revertedAt: number | null = null;
  let failure: string | null = null;
  let readAt = performance.now();
  let triedAt = Number.NEGATIVE_INFINITY;
  let isNoticed = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const update = async () => {
    isNoticed = false;
    triedAt = performance.now();
    const next = await read(rows);
    readAt = performance.now();
    if (next === null) {
      rows = null;
      return;
    }
    const reverted = rows?.backfilled && sameHead(rows, next) && !sameRows(rows, next);
    if (reverted) {
      revertedAt ??= performance.now();
      if (performance.now() - revertedAt < REVERT_PATIENCE) return;
    }
    revertedAt = null;
    const currentRegistry = registry.current();
    if (rows === null || !sameState(rows, next) || currentRegistry !== projectedRegistry) {
      const market = project({ rows: next.rows, registry: currentRegistry, head: next.head, publicSettings });
      logUnprojectable(log, snapshot?.market.unprojectable ?? [], market.unprojectable);
      snapshot = createSnapshot(market, next, currentRegistry);
    }
    rows = next;
    projectedRegistry = currentRegistry;
  };

  const isDue = () => {
    if (performance.now() - triedAt >= LONGEST_INTERVAL) return true;
    if (failure !== null) return false;
    return (
      onBlock === undefined || isNoticed || !rows?.backfilled || registry.current() !== projectedRegistry
    );
  };

  const tryToUpdate = async () => {
    try {
      await update();
      if (failure !== null) log.info({ msg: "The market is up to date again" });
      failure = null;
    } catch (error) {
      // A lost connection has many error messages.
      const kind = error instanceof DatabaseSilentError ? error.name : String(error);
      if (failure !== kind) log.warn({ msg: "The market cannot be updated", error });
      failure = kind;
    }
  };

  const run = async () => {
    if (isDue()) await tryToUpdate();
    if (!stopped) timer = setTimeout(run, interval).unref();
  };
  onBlock?.(() => {
    isNoticed = true;
  });
  void run();

  return {
    current: () => snapshot,
    secondsSinceRead: () => (performance.now() - readAt) / 1000,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

function sameState(a: TableSnapshot, b: TableSnapshot): boolean {
  return sameHead(a, b) && sameRows(a, b) && a.backfilled === b.backfilled;
}

function sameHead(a: TableSnapshot, b: TableSnapshot): boolean {
  return a.head.number === b.head.number && a.head.timestamp === b.head.timestamp;
}

function createSnapshot(market: Market, rows: TableSnapshot, registry: Registry): Snapshot {
  return {
    market,
    registry,
    backfilled: rows.backfilled,
    finalized: rows.finalized,
    anomalies: rows.anomalies,
  };
}

function logUnprojectable(log: Log, before: readonly Unprojectable[], now: readonly Unprojectable[]): void {
  const logged = new Set(before.map(({ escrowAddress, onchainId }) => `${escrowAddress}/${onchainId}`));
  for (const listing of now) {
    if (logged.has(`${listing.escrowAddress}/${listing.onchainId}`)) continue;
    log.error({ msg: "A listing cannot be shown and is left out", ...listing });
  }
}
