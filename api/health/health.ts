/**
 * The service's health. Interface document, GET /health: 200 when the service is up.
 * @module
 */

import { isoTime } from "../../format/time.ts";
import type { Block } from "../../src/fold/events.ts";
import type { MarketSource, Snapshot } from "../market/snapshot.ts";
import type { RegistryState } from "../registry/store.ts";
import type { AuditorState } from "./audit.ts";
import type { Health } from "./schema.ts";
import type { Restarts } from "./supervisor.ts";

/** Seconds without an answer of the RPC after which the service is degraded. */
const NODE_SILENCE = 60;
/** Seconds since the last successful read after which the database counts as silent. */
const DATABASE_SILENCE = 10;
/** Most blocks behind the head at which the service is ready. */
const READY_WITHIN = 10n;

export const TROUBLES = [
  "node_silent",
  "database_silent",
  "endpoints_disagree",
  "index_stalled",
  "registry_refused",
  "audit_red",
] as const;

/** A reason for the service to be degraded. */
export type Trouble = (typeof TROUBLES)[number];

export type HealthSources = {
  feed: MarketSource;
  database: {
    /** seconds since the last successful read of the tables */
    secondsSinceRead(): number;
  };
  upstream: {
    /** the RPC's last head of the chain; null before its first answer */
    head(): Block | null;
    secondsSinceSeen(): number;
  };
  stall: { stalled(): boolean };
  restarts(): Restarts;
  registry: { state(): RegistryState };
  audit: { state(): AuditorState };
  chainId: number;
  /** of the service */
  version: string;
};

export type HealthMonitor = {
  /** the body of `/v1/health` */
  report(): Health;
  /** current troubles; the status is `degraded` exactly when there is one */
  troubles(): Trouble[];
  /** whether the backfill is over, the head is close, and both RPC and database answer: for load balancers */
  isReady(): boolean;
  /** whether answers may be outdated, and those that need the database are impossible */
  isDatabaseSilent(): boolean;
  /** the newest known block, never below the indexed one; null before the RPC's first answer */
  head(): Block | null;
};

export function createHealthMonitor(sources: HealthSources): HealthMonitor {
  const { feed, database, upstream, stall, restarts, registry, audit, chainId, version } = sources;

  const head = (): Block | null => {
    const reported = upstream.head();
    const indexed = feed.current()?.market.head;
    // The RPC is polled only now and then, so the index can be ahead of its last answer.
    const isAhead = reported !== null && indexed !== undefined && indexed.number > reported.number;
    return isAhead ? indexed : reported;
  };
  const isNodeSilent = () => upstream.secondsSinceSeen() > NODE_SILENCE;
  const isDatabaseSilent = () => database.secondsSinceRead() > DATABASE_SILENCE;
  const troubles = (): Trouble[] => {
    const holds: Record<Trouble, boolean> = {
      node_silent: isNodeSilent(),
      database_silent: isDatabaseSilent(),
      endpoints_disagree: feed.current()?.disputed != null,
      index_stalled: stall.stalled(),
      registry_refused: registry.state().status === "refused",
      audit_red: audit.state().last?.status === "red",
    };
    return TROUBLES.filter((trouble) => holds[trouble]);
  };
  const isReady = (): boolean => {
    const snapshot = feed.current();
    const newest = head();
    if (snapshot === null || newest === null || !snapshot.backfilled) return false;
    if (isDatabaseSilent() || isNodeSilent()) return false;
    return newest.number - snapshot.market.head.number <= READY_WITHIN;
  };
  const status = (): Health["status"] => {
    if (troubles().length > 0) return "degraded";
    return isReady() ? "ok" : "syncing";
  };

  return {
    troubles,
    isReady,
    isDatabaseSilent,
    head,
    report() {
      const snapshot = feed.current();
      const indexed = snapshot?.market.head ?? null;
      const newest = head();
      const byKind = Object.fromEntries(
        Object.entries(snapshot?.anomalies ?? {}).filter(([, count]) => count > 0),
      );
      const lag = newest === null || indexed === null ? null : Number(newest.timestamp - indexed.timestamp);
      return {
        status: status(),
        chainId,
        indexedBlock: indexed?.number.toString() ?? null,
        indexedAt: indexed === null ? null : isoTime(indexed.timestamp),
        finalizedBlock: snapshot?.finalized.number.toString() ?? null,
        disputedBlock: snapshot?.disputed?.toString() ?? null,
        headBlock: newest?.number.toString() ?? null,
        // On different forks a higher block can have an earlier time.
        lagSeconds: lag === null ? null : Math.max(0, lag),
        restarts: restarts(),
        registry: registryOf(registry.state(), snapshot),
        unpublished: snapshot?.market.unpublished ?? 0,
        unprojectable: snapshot?.market.unprojectable.length ?? 0,
        anomalies: { total: Object.values(byKind).reduce((total, count) => total + count, 0), byKind },
        audit: summaryOf(audit.state()),
        version,
      };
    },
  };
}

/** The registry, with the block since which it is in use; null until a block was answered for with it. */
function registryOf(state: RegistryState, snapshot: Snapshot | null): Health["registry"] {
  const since = snapshot?.registry.hash === state.hash ? snapshot.registrySince : null;
  return {
    ...state,
    sinceBlock: since?.number.toString() ?? null,
    since: since === null ? null : isoTime(since.timestamp),
  };
}

/** A summary of the last audit; the report is at `/v1/audit`. */
function summaryOf({ last }: AuditorState): Health["audit"] {
  if (last === null) return null;
  const { status, block, at, listings, findings } = last;
  return { status, block, at, listings: listings.length, findings: findings.length };
}
