/**
 * How the service is doing. Interface document, GET /health: 200 when the service is up.
 * @module
 */
import type { AppDependencies } from "../dependencies.ts";
import { isoTime } from "../market/time.ts";
import type { Health } from "./schema.ts";

/** From how many seconds without a word from the RPC the service calls itself degraded. */
const SILENCE = 60;
/** How many blocks behind the head the service still calls itself ready. */
const READY_WITHIN = 10n;

/** The body of `/v1/health`. */
export function healthOf({ feed, upstream, registry, audit, site, version }: AppDependencies): Health {
  const snapshot = feed.current();
  const indexed = snapshot?.market.head ?? null;
  const head = upstream.head();
  const byKind = Object.fromEntries(
    Object.entries(snapshot?.anomalies ?? {}).filter(([, count]) => count > 0),
  );
  const lag = head === null || indexed === null ? null : Number(head.timestamp - indexed.timestamp);
  return {
    status: statusOf({ feed, upstream, registry, audit }),
    chainId: site.chainId,
    indexedBlock: indexed?.number.toString() ?? null,
    indexedAt: indexed === null ? null : isoTime(indexed.timestamp),
    headBlock: head?.number.toString() ?? null,
    // The head is asked once a second, so the indexer can be a block ahead of what was seen last.
    lagSeconds: lag === null ? null : Math.max(0, lag),
    registry: registry.state(),
    unpublished: snapshot?.market.unpublished ?? 0,
    unprojectable: snapshot?.market.unprojectable.length ?? 0,
    anomalies: { total: Object.values(byKind).reduce((total, count) => total + count, 0), byKind },
    audit: lastAudit({ audit }),
    version,
  };
}

/** Backfilled, and at the head of a chain that still answers: what a load balancer asks. */
export function isReady({ feed, upstream }: Pick<AppDependencies, "feed" | "upstream">): boolean {
  const snapshot = feed.current();
  const head = upstream.head();
  if (snapshot === null || head === null || !snapshot.backfilled) return false;
  if (upstream.secondsSinceSeen() > SILENCE) return false;
  return head.number - snapshot.market.head.number <= READY_WITHIN;
}

const TROUBLES = ["node_silent", "registry_refused", "audit_red"] as const;

/** What makes the service call itself degraded. */
export type Trouble = (typeof TROUBLES)[number];

/** All that hold now; the status is `degraded` exactly when there is one. */
export function troublesOf({
  upstream,
  registry,
  audit,
}: Pick<AppDependencies, "upstream" | "registry" | "audit">): Trouble[] {
  const holds: Record<Trouble, boolean> = {
    node_silent: upstream.secondsSinceSeen() > SILENCE,
    registry_refused: registry.state().status === "refused",
    audit_red: audit.state().last?.status === "red",
  };
  return TROUBLES.filter((trouble) => holds[trouble]);
}

type Judged = Pick<AppDependencies, "feed" | "upstream" | "registry" | "audit">;

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
