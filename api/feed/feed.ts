/**
 * Keeps the current Market in memory. Follows the indexed head and the registry; requests read what is here and
 * run no query.
 * @module
 */
import type { Log } from "../../config/log.ts";
import type { Site } from "../market/listing.ts";
import { type Market, project, type Unprojectable } from "../market/project.ts";
import type { RegistryStore } from "../registry/store.ts";
import { type Body, jsonBody } from "./body.ts";
import type { TableSnapshot } from "./tables.ts";

/** The market at one head, and its encoded answers. */
export type Snapshot = {
  market: Market;
  backfilled: boolean;
  anomalies: TableSnapshot["anomalies"];
  /** The body under `key`, encoded on first use and then kept for as long as the market stands. */
  body(key: string, value: (market: Market) => unknown): Body;
};

export type Feed = {
  /** null before the first indexed block */
  current(): Snapshot | null;
  stop(): void;
};

export type FeedParameters = {
  /** reads the tables; gets what it returned last, to leave out what has not changed */
  read(previous: TableSnapshot | null): Promise<TableSnapshot | null>;
  registry: RegistryStore;
  site: Site;
  log: Log;
  /** milliseconds between two looks at the indexed head */
  interval?: number;
};

/**
 * How long rows that changed under an unchanged head are held back, in milliseconds. After a reorg Ponder reverts the
 * rows first and names the new head with the next block; shown in between, a raise would look as if it had failed.
 * Over a slow RPC the next block takes seconds. The bound is for a chain that brings none.
 */
const REVERT_PATIENCE = 60_000;

/** Follows the tables until stopped. A failure is logged once and tried again; the last market stays. */
export function startFeed({ read, registry, site, log, interval = 100 }: FeedParameters): Feed {
  let rows: TableSnapshot | null = null;
  let snapshot: Snapshot | null = null;
  let projectedRegistry = registry.current();
  let revertedAt: number | null = null;
  let failure: string | null = null;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const look = async () => {
    const seen = await read(rows);
    if (seen === null) {
      rows = null;
      return;
    }
    const reverted = rows?.backfilled && sameHead(rows, seen) && seen.revision !== rows.revision;
    if (reverted) {
      revertedAt ??= performance.now();
      if (performance.now() - revertedAt < REVERT_PATIENCE) return;
    }
    revertedAt = null;
    const facts = registry.current();
    const unchanged = rows !== null && sameRows(rows, seen) && facts === projectedRegistry;
    if (!unchanged) {
      const market = project({ rows: seen.listings, registry: facts, head: seen.head, site });
      logUnprojectable(log, snapshot?.market.unprojectable ?? [], market.unprojectable);
      snapshot = createSnapshot(market, seen);
    }
    rows = seen;
    projectedRegistry = facts;
  };

  const run = async () => {
    try {
      await look();
      if (failure !== null) log.info({ msg: "The market is up to date again" });
      failure = null;
    } catch (error) {
      const message = String(error);
      if (failure !== message) log.warn({ msg: "The market cannot be brought up to date", error: message });
      failure = message;
    }
    if (!stopped) timer = setTimeout(run, interval).unref();
  };
  void run();

  return {
    current: () => snapshot,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

function sameRows(a: TableSnapshot, b: TableSnapshot): boolean {
  return sameHead(a, b) && a.revision === b.revision && a.backfilled === b.backfilled;
}

function sameHead(a: TableSnapshot, b: TableSnapshot): boolean {
  return a.head.number === b.head.number && a.head.timestamp === b.head.timestamp;
}

function createSnapshot(market: Market, rows: TableSnapshot): Snapshot {
  const bodies = new Map<string, Body>();
  return {
    market,
    backfilled: rows.backfilled,
    anomalies: rows.anomalies,
    body(key, value) {
      const known = bodies.get(key);
      if (known !== undefined) return known;
      const body = jsonBody(value(market));
      bodies.set(key, body);
      return body;
    },
  };
}

function logUnprojectable(log: Log, before: readonly Unprojectable[], now: readonly Unprojectable[]): void {
  const known = new Set(before.map(({ escrowAddress, onchainId }) => `${escrowAddress}/${onchainId}`));
  for (const listing of now) {
    if (known.has(`${listing.escrowAddress}/${listing.onchainId}`)) continue;
    log.error({ msg: "A listing cannot be shown and is left out", ...listing });
  }
}
