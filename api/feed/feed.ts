/**
 * Keeps the current Market in memory. Follows the indexed head and the registry; requests read what is here and
 * run no query.
 * @module
 */
import type { Log } from "../../config/log.ts";
import { DatabaseSilentError } from "../database/checkpoint.ts";
import type { Site } from "../market/listing.ts";
import { type Market, project, type Unprojectable } from "../market/project.ts";
import type { MarketSource, Snapshot } from "../market/snapshot.ts";
import type { Registry } from "../registry/schema.ts";
import type { RegistryStore } from "../registry/store.ts";
import { sameRows, type TableSnapshot } from "./tables.ts";

export type Feed = MarketSource & {
  /** seconds since the tables could last be read, by a clock that only runs forward */
  secondsSinceRead(): number;
  stop(): void;
};

export type FeedParameters = {
  /** reads the tables; gets what it returned last, to leave out what has not changed */
  read(previous: TableSnapshot | null): Promise<TableSnapshot | null>;
  registry: RegistryStore;
  site: Site;
  log: Log;
  /** Calls back whenever a block is indexed. Without it each interval has a look, with it one when there is cause. */
  onBlock?(indexed: () => void): void;
  /** milliseconds between two looks at the indexed head */
  interval?: number;
};

/** Milliseconds until the next look when nothing is heard: notices begin when the backfill ends, and may be lost. */
const UNHEARD = 1_000;

/**
 * How long rows that changed under an unchanged head are held back, in milliseconds. After a reorg Ponder reverts the
 * rows first and names the new head with the next block; shown in between, a raise would look as if it had failed.
 * Over a slow RPC the next block takes seconds. The bound is for a chain that brings none.
 */
const REVERT_PATIENCE = 60_000;

/** Follows the tables until stopped. A failure is logged once and tried again; the last market stays. */
export function startFeed(parameters: FeedParameters): Feed {
  const { read, registry, site, log, onBlock, interval = 100 } = parameters;
  let rows: TableSnapshot | null = null;
  let snapshot: Snapshot | null = null;
  let projectedRegistry = registry.current();
  let revertedAt: number | null = null;
  let failure: string | null = null;
  let readAt = performance.now();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isNoticed = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const look = async () => {
    isNoticed = false;
    lookedAt = performance.now();
    const seen = await read(rows);
    readAt = performance.now();
    if (seen === null) {
      rows = null;
      return;
    }
    const reverted = rows?.backfilled && sameHead(rows, seen) && !sameRows(rows, seen);
    if (reverted) {
      revertedAt ??= performance.now();
      if (performance.now() - revertedAt < REVERT_PATIENCE) return;
    }
    revertedAt = null;
    const facts = registry.current();
    if (rows === null || !sameState(rows, seen) || facts !== projectedRegistry) {
      const market = project({ rows: seen.rows, registry: facts, head: seen.head, site });
      logUnprojectable(log, snapshot?.market.unprojectable ?? [], market.unprojectable);
      snapshot = createSnapshot(market, seen, facts);
    }
    rows = seen;
    projectedRegistry = facts;
  };

  const isDue = () => {
    if (performance.now() - lookedAt >= UNHEARD) return true;
    if (failure !== null) return false;
    return (
      onBlock === undefined || isNoticed || !rows?.backfilled || registry.current() !== projectedRegistry
    );
  };

  const tryToLook = async () => {
    try {
      await look();
      if (failure !== null) log.info({ msg: "The market is up to date again" });
      failure = null;
    } catch (error) {
      // A connection fails in many words.
      const kind = error instanceof DatabaseSilentError ? error.name : String(error);
      if (failure !== kind) log.warn({ msg: "The market cannot be brought up to date", error });
      failure = kind;
    }
  };

  const run = async () => {
    if (isDue()) await tryToLook();
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
  const known = new Set(before.map(({ escrowAddress, onchainId }) => `${escrowAddress}/${onchainId}`));
  for (const listing of now) {
    if (known.has(`${listing.escrowAddress}/${listing.onchainId}`)) continue;
    log.error({ msg: "A listing cannot be shown and is left out", ...listing });
  }
}
