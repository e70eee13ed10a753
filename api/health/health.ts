/**
 * How the service is doing. Interface document, GET /health: 200 when the service is up.
 * @module
 */
import type { Block } from "../../src/fold/events.ts";
import type { MarketSource } from "../market/snapshot.ts";
import type { RegistryState } from "../registry/store.ts";
import { isoTime } from "../time.ts";
import type { AuditorState } from "./audit.ts";
import type { Health } from "./schema.ts";
import type { Restarts } from "./supervisor.ts";

/** Seconds without a word from the RPC after which the service is degraded. */
const NODE_SILENCE = 60;
/** Seconds since the tables could last be read after which the database counts as silent. */
const DATABASE_SILENCE = 10;
/** Blocks behind the head within which the service is ready. */
const READY_WITHIN = 10n;

const TROUBLES = [
  "node_silent",
  "database_silent",
  "index_stalled",
  "registry_refused",
  "audit_red",
] as const;

/** What makes the service degraded. */
export type Trouble = (typeof TROUBLES)[number];

export type HealthSources = {
  feed: MarketSource;
  database: {
    /** seconds since the tables could last be read */
    secondsSinceRead(): number;
  };
  upstream: {
    /** the head of the chain as the RPC named it last; null until it has answered once */
    head(): Block | null;
    secondsSinceSeen(): number;
  };
  stall: { stalled(): boolean };
  restarts: Restarts;
  registry: { state(): RegistryState };
  audit: { state(): AuditorState };
  chainId: number;
  /** of the service */
  version: string;
};

export type HealthMonitor = {
  /** the body of `/v1/health` */
  report(): Health;
  /** those that hold now; the status is `degraded` exactly when there is one */
  troubles(): Trouble[];
  /** backfilled, at the head of a chain that answers, over a database that does: what a load balancer asks */
  isReady(): boolean;
  /** whether what is served may be old, and what needs the database cannot be answered */
  isDatabaseSilent(): boolean;
  /** the newest known block, never below the indexed one; null until the RPC has answered once */
  head(): Block | null;
};

export function createHealthMonitor(sources: HealthSources): HealthMonitor {
  const { feed, database, upstream, stall, restarts, registry, audit, chainId, version } = sources;

  const head = (): Block | null => {
    const told = upstream.head();
    const indexed = feed.current()?.market.head;
    // The RPC is asked now and then: the index can be ahead of its last answer.
    return told !== null && indexed !== undefined && indexed.number > told.number ? indexed : told;
  };
  const isNodeSilent = () => upstream.secondsSinceSeen() > NODE_SILENCE;
  const isDatabaseSilent = () => database.secondsSinceRead() > DATABASE_SILENCE;
  const troubles = (): Trouble[] => {
    const holds: Record<Trouble, boolean> = {
      node_silent: isNodeSilent(),
      database_silent: isDatabaseSilent(),
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
        headBlock: newest?.number.toString() ?? null,
        // Times of different branches of the chain may not be in the order of their numbers.
        lagSeconds: lag === null ? null : Math.max(0, lag),
        restarts,
        registry: registry.state(),
        unpublished: snapshot?.market.unpublished ?? 0,
        unprojectable: snapshot?.market.unprojectable.length ?? 0,
        anomalies: { total: Object.values(byKind).reduce((total, count) => total + count, 0), byKind },
        audit: summaryOf(audit.state()),
        version,
      };
    },
  };
}

/** The last audit in short; the whole report is at `/v1/audit`. */
function summaryOf({ last }: AuditorState): Health["audit"] {
  if (last === null) return null;
  const { status, block, at, listings, findings } = last;
  return { status, block, at, listings: listings.length, findings: findings.length };
}
