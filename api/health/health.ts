/**
 * How the service is doing. Interface document, GET /health: 200 when the service is up.
 * @module
 */
import type { AppDependencies } from "../dependencies.ts";
import type { Head } from "../market/project.ts";
import { isoTime } from "../market/time.ts";
import type { Health } from "../rest/schema.ts";

/** From how many seconds without a word from the RPC the service calls itself degraded. */
const SILENCE = 60;
/** From how many seconds without a look at the tables the database counts as silent. */
const DATABASE_SILENCE = 10;
/** How many blocks behind the head the service still calls itself ready. */
const READY_WITHIN = 10n;

/**
 * The newest block that is known; null until the RPC has answered once. The RPC is asked now and then, so that the
 * index can be ahead of its last answer.
 */
export function chainHead({ feed, upstream }: Pick<AppDependencies, "feed" | "upstream">): Head | null {
  const told = upstream.head();
  const indexed = feed.current()?.market.head;
  return told !== null && indexed !== undefined && indexed.number > told.number ? indexed : told;
}

/** The body of `/v1/health`. */
export function healthOf(deps: AppDependencies): Health {
  const { feed, upstream, registry, audit, restarts, site, version } = deps;
  const snapshot = feed.current();
  const indexed = snapshot?.market.head ?? null;
  const head = chainHead({ feed, upstream });
  const byKind = Object.fromEntries(
    Object.entries(snapshot?.anomalies ?? {}).filter(([, count]) => count > 0),
  );
  const lag = head === null || indexed === null ? null : Number(head.timestamp - indexed.timestamp);
  return {
    status: statusOf(deps),
    chainId: site.chainId,
    indexedBlock: indexed?.number.toString() ?? null,
    indexedAt: indexed === null ? null : isoTime(indexed.timestamp),
    headBlock: head?.number.toString() ?? null,
    // Times of different branches of the chain may not be in the order of their numbers.
    lagSeconds: lag === null ? null : Math.max(0, lag),
    restarts,
    registry: registry.state(),
    unpublished: snapshot?.market.unpublished ?? 0,
    unprojectable: snapshot?.market.unprojectable.length ?? 0,
    anomalies: { total: Object.values(byKind).reduce((total, count) => total + count, 0), byKind },
    audit: lastAudit({ audit }),
    version,
  };
}

/** Backfilled, at the head of a chain that still answers, over a database that does: what a load balancer asks. */
export function isReady({
  feed,
  database,
  upstream,
}: Pick<AppDependencies, "feed" | "database" | "upstream">): boolean {
  const snapshot = feed.current();
  const head = chainHead({ feed, upstream });
  if (snapshot === null || head === null || !snapshot.backfilled) return false;
  if (isDatabaseSilent({ database }) || upstream.secondsSinceSeen() > SILENCE) return false;
  return head.number - snapshot.market.head.number <= READY_WITHIN;
}

/** Whether what is served may be old, and what requests ask of the database cannot be answered. */
export function isDatabaseSilent({ database }: Pick<AppDependencies, "database">): boolean {
  return database.secondsSinceRead() > DATABASE_SILENCE;
}

const TROUBLES = [
  "node_silent",
  "database_silent",
  "index_stalled",
  "registry_refused",
  "audit_red",
] as const;

/** What makes the service call itself degraded. */
export type Trouble = (typeof TROUBLES)[number];

/** All that hold now; the status is `degraded` exactly when there is one. */
export function troublesOf({ database, upstream, stall, registry, audit }: Omit<Judged, "feed">): Trouble[] {
  const holds: Record<Trouble, boolean> = {
    node_silent: upstream.secondsSinceSeen() > SILENCE,
    database_silent: isDatabaseSilent({ database }),
    index_stalled: stall.stalled(),
    registry_refused: registry.state().status === "refused",
    audit_red: audit.state().last?.status === "red",
  };
  return TROUBLES.filter((trouble) => holds[trouble]);
}

type Judged = Pick<AppDependencies, "feed" | "database" | "upstream" | "stall" | "registry" | "audit">;

function statusOf(deps: Judged): Health["status"] {
  if (troublesOf(deps).length > 0) return "degraded";
  return isReady(deps) ? "ok" : "syncing";
}

/** The last audit in short; the whole stands at `/v1/audit`. */
function lastAudit({ audit }: Pick<AppDependencies, "audit">): Health["audit"] {
  const { last } = audit.state();
  if (last === null) return null;
  const { status, block, at, listings, findings } = last;
  return { status, block, at, listings: listings.length, findings: findings.length };
}
