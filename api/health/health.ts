/** @module The service's health. Interface document, GET /health: 200 when the service is up. */
import { isoTime } from "../../config/format/time.ts";
import type { Lately } from "../../config/lately.ts";
import type { UnfitEndpoint } from "../../config/unfit-endpoints.ts";
import type { FollowedContracts } from "../../src/contracts/describe.ts";
import type { Block } from "../../src/fold/events.ts";
import type { MarketSource, Snapshot } from "../market/snapshot.ts";
import type { RegistryState } from "../registry/store.ts";
import type { AuditorState } from "./audit.ts";
import { completenessOf } from "./completeness.ts";
import type { Instances } from "./instances.ts";
import type { Health } from "./schema.ts";
import type { Restarts } from "./supervisor.ts";
import { createTroubleLog, REMEDIES, type Trouble } from "./troubles.ts";
import { LONGEST_SILENCE } from "./upstream.ts";

/** Seconds without an answer of the RPC after which the service is degraded. */
const NODE_SILENCE = 60;
/** Seconds since the last successful read after which the database counts as silent. */
const DATABASE_SILENCE = 10;
/** Seconds without an answer of the RPC that are normal: it is polled at this interval while the index keeps pace, and may be slow. */
const NORMAL_SILENCE = LONGEST_SILENCE + 5;
/** Most blocks behind the head at which the service is ready. */
const READY_WITHIN = 10n;

export type HealthSources = {
  updater: MarketSource;
  database: {
    /** seconds since the last successful read of the tables */
    secondsSinceRead(): number;
  };
  /** who announces indexed blocks to this process now */
  blockNotices(): Health["blockNotices"];
  upstream: {
    /** the RPC's last head of the chain; null before its first answer */
    head(): Block | null;
    secondsSinceSeen(): number;
  };
  stall: { stalled(): boolean };
  restarts(): Restarts;
  /** null where there is only one, or it is not known */
  instances(): Instances | null;
  /** the unfit ones */
  endpoints: Pick<Lately<UnfitEndpoint>, "current">;
  registry: { state(): RegistryState };
  audit: { state(): AuditorState };
  bookRoots: { lastRoot(): Health["root"] };
  contracts: FollowedContracts;
  chainId: number;
  version: string;
};

export type Unready = "database_silent" | "node_silent" | "backfilling" | "behind";

export type HealthMonitor = {
  /** the body of `/v1/health` */
  report(): Health;
  /** current troubles; the status is `degraded` exactly when there is one */
  troubles(): Trouble[];
  /** whether the backfill is over, the head is close, and both RPC and database answer: for load balancers */
  isReady(): boolean;
  /** why it is not ready; null if it is */
  unready(): Unready | null;
  /** the newest known block, never below the indexed one; null before the RPC's first answer */
  head(): Block | null;
  /**
   * seconds from the indexed block to the head of the chain, by the chain's time; while the RPC is silent the head is taken to
   * have advanced since its last answer. Null when either block is unknown.
   */
  lagSeconds(): number | null;
};

export function createHealthMonitor(sources: HealthSources): HealthMonitor {
  const { updater, database, upstream, stall, restarts, endpoints, registry, audit } = sources;
  const { instances, blockNotices, bookRoots, contracts, chainId, version } = sources;

  const head = (): Block | null => {
    const reported = upstream.head();
    const indexed = updater.current()?.market.head;
    // The RPC is polled only now and then, so the index can be ahead of its last answer.
    const isAhead = reported !== null && indexed !== undefined && indexed.number > reported.number;
    return isAhead ? indexed : reported;
  };
  const isNodeSilent = () => upstream.secondsSinceSeen() > NODE_SILENCE;
  const isDatabaseSilent = () => database.secondsSinceRead() > DATABASE_SILENCE;
  const openTroubles = createTroubleLog(
    () => ({
      node_silent: isNodeSilent(),
      database_silent: isDatabaseSilent(),
      endpoints_disagree: updater.current()?.disputed != null,
      finality_stalled: updater.current()?.finality === "stalled",
      logs_incomplete: (updater.current()?.completeness?.omitting ?? []).length > 0,
      endpoint_unfit: endpoints.current().length > 0,
      index_stalled: stall.stalled(),
      registry_refused: registry.state().status === "refused",
      audit_red: audit.state().last?.status === "red",
    }),
    () => head()?.timestamp ?? null,
  );
  const troubles = (): Trouble[] => openTroubles().map(({ code }) => code);
  const lagSeconds = (): number | null => {
    const indexed = updater.current()?.market.head;
    const newest = head();
    if (newest === null || indexed === undefined) return null;
    // While the RPC is silent the chain goes on: its time advances like any other.
    const silence = upstream.secondsSinceSeen();
    const unseen = silence > NORMAL_SILENCE ? Math.floor(silence) : 0;
    // On different forks a higher block can have an earlier time.
    return Math.max(0, Number(newest.timestamp - indexed.timestamp) + unseen);
  };
  const unready = (): Unready | null => {
    if (isDatabaseSilent()) return "database_silent";
    if (isNodeSilent()) return "node_silent";
    const snapshot = updater.current();
    const newest = head();
    if (snapshot?.backfilled === false) return "backfilling";
    if (snapshot === null || newest === null) return "behind";
    return newest.number - snapshot.market.head.number <= READY_WITHIN ? null : "behind";
  };
  const isReady = () => unready() === null;
  const status = (): Health["status"] => {
    if (troubles().length > 0) return "degraded";
    return isReady() ? "ok" : "syncing";
  };

  return {
    troubles,
    isReady,
    unready,
    head,
    lagSeconds,
    report() {
      const snapshot = updater.current();
      const indexed = snapshot?.market.head ?? null;
      const newest = head();
      const byKind = Object.fromEntries(
        Object.entries(snapshot?.anomalies ?? {}).filter(([, count]) => count > 0),
      );
      return {
        status: status(),
        troubles: openTroubles().map(({ code, since }) => ({
          code,
          since: since === null ? null : isoTime(since),
          remedy: REMEDIES[code],
        })),
        chainId,
        contracts: {
          name: contracts.name,
          decimals: contracts.decimals,
          events: contracts.events.length,
        },
        indexedBlock: indexed?.number.toString() ?? null,
        indexedAt: indexed === null ? null : isoTime(indexed.timestamp),
        finalizedBlock: snapshot?.finalized.number.toString() ?? null,
        finality: finalityOf(snapshot),
        disputedBlock: snapshot?.disputed?.toString() ?? null,
        completeness: completenessOf(snapshot?.completeness ?? null),
        unfitEndpoints: endpoints.current(),
        headBlock: newest?.number.toString() ?? null,
        lagSeconds: lagSeconds(),
        blockNotices: blockNotices(),
        restarts: restarts(),
        instances: instances(),
        registry: registryOf(registry.state(), snapshot),
        unpublished: snapshot?.market.unpublished ?? 0,
        unprojectable: snapshot?.market.unprojectable.length ?? 0,
        anomalies: { total: Object.values(byKind).reduce((total, count) => total + count, 0), byKind },
        audit: summaryOf(audit.state()),
        root: bookRoots.lastRoot(),
        version,
      };
    },
  };
}

/** The registry, with the block since which it is in use; null until a block was served with it. */
function registryOf(state: RegistryState, snapshot: Snapshot | null): Health["registry"] {
  const since = snapshot?.registry.hash === state.hash ? snapshot.registrySince : null;
  const contradictions = snapshot?.market.contradictions.length ?? 0;
  return {
    ...state,
    ...(contradictions > 0 && { contradictions }),
    sinceBlock: since?.number.toString() ?? null,
    since: since === null ? null : isoTime(since.timestamp),
  };
}

/** Null until the indexer says. */
function finalityOf(snapshot: Snapshot | null): Health["finality"] {
  if (snapshot === null || snapshot.finality === null) return null;
  const { finality, finalized, market } = snapshot;
  // After a restart or a reorg the indexed block can be below what is final.
  const lag = Math.max(0, Number(market.head.number - finalized.number));
  return { source: finality === "finalized" ? "finalized" : "depth", lagBlocks: lag };
}

/** A summary of the last audit; the report is at `/v1/audit`. */
function summaryOf({ last }: AuditorState): Health["audit"] {
  if (last === null) return null;
  const { status, block, at, listings, findings } = last;
  return { status, block, at, listings: listings.length, findings: findings.length };
}
