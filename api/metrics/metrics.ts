/** @module The service's own metrics, for Prometheus. Values are read at each scrape from the service's state. */
import { Gauge, Histogram, Registry } from "prom-client";
import type { Auditor } from "../health/audit.ts";
import { countingHttp, type HttpTransportOf } from "../health/counted-http.ts";
import type { HealthMonitor, HealthSources } from "../health/health.ts";
import { TROUBLES } from "../health/troubles.ts";
import { createRequestMetrics, type RequestMetrics } from "../http/request-metrics.ts";
import type { RegistryStore } from "../registry/store.ts";

export type Metrics = {
  registry: Registry;
  requests: RequestMetrics;
  http: HttpTransportOf;
  /** Records the seconds that a new market took. */
  marketUpdated(seconds: number): void;
};

type Read = () => number | null;
/** How the values of several processes behind one port combine: the worst wins. */
type Worst = "min" | "max";
type Labelled = () => Iterable<readonly [value: string, number]>;

/** The metrics of a process. Each is absent while its value is unknown. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const update = new Histogram({
    name: "raisebook_market_update_duration_seconds",
    help: "Time to make a new market of changed rows; the count is the number of markets since the start",
    buckets: [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers: [registry],
  });
  return {
    registry,
    requests: createRequestMetrics(registry),
    http: countingHttp(registry),
    marketUpdated: (seconds) => update.observe(seconds),
  };
}

export type CollectParameters = Pick<
  HealthSources,
  "updater" | "database" | "upstream" | "restarts" | "instances"
> & {
  health: Pick<HealthMonitor, "head" | "isReady" | "lagSeconds" | "troubles">;
  registry: Pick<RegistryStore, "state" | "activity">;
};

export function collectService(registry: Registry, sources: CollectParameters): void {
  const { updater, database, upstream, restarts, instances, health } = sources;
  const { gauge, labelled } = gaugesIn(registry);
  const indexed = () => updater.current()?.market.head ?? null;
  const lagBlocks = () => {
    const [head, at] = [health.head(), indexed()];
    return head === null || at === null ? null : Math.max(0, Number(head.number - at.number));
  };
  gauge("head_block", "The newest known block of the chain", () => numberOf(health.head()?.number));
  gauge("indexed_block", "The last indexed block", () => numberOf(indexed()?.number), "min");
  gauge(
    "indexed_timestamp_seconds",
    "The chain's time at the last indexed block",
    () => numberOf(indexed()?.timestamp),
    "min",
  );
  gauge("lag_blocks", "Blocks from the indexed one to the head", lagBlocks);
  gauge("finality_lag_blocks", "Blocks from the final one to the indexed one", () => {
    const [at, final] = [indexed(), updater.current()?.finalized];
    return at === null || final === undefined ? null : Math.max(0, Number(at.number - final.number));
  });
  gauge("lag_seconds", "Seconds from the indexed block to the head, as in /v1/health", health.lagSeconds);
  gauge(
    "ready",
    "1 when the backfill is over, the head is close, and RPC and database answer",
    () => Number(health.isReady()),
    "min",
  );
  gauge("node_silence_seconds", "Seconds since an answer of the RPC to the service itself", () =>
    upstream.secondsSinceSeen(),
  );
  gauge("database_silence_seconds", "Seconds since the tables were read", () => database.secondsSinceRead());
  labelled("trouble", "trouble", "1 for each reason for the service to be degraded, as in /v1/health", () => {
    const now = health.troubles();
    return TROUBLES.map((trouble) => [trouble, Number(now.includes(trouble))]);
  });
  gauge("indexer_restarts", "Restarts of the indexer by its daemon", () => restarts().count);
  labelled("instances", "state", "Starts of the service that index, and that stand by", () => {
    const known = instances();
    if (known === null) return [];
    return [
      ["indexing", known.indexing === null ? 0 : 1],
      ["standby", known.standby.length],
    ];
  });
  gauge("unprojectable_listings", "Listings that are left out because they cannot be shown", () =>
    numberOf(updater.current()?.market.unprojectable.length),
  );
  labelled("anomalies", "kind", "Events that do not add up", () =>
    Object.entries(updater.current()?.anomalies ?? {}),
  );
  labelled("registry_info", "version", "1 for the registry document in use", () => [
    [sources.registry.state().version, 1],
  ]);
  gauge(
    "registry_age_seconds",
    "Seconds since the source confirmed the registry in use",
    () => sources.registry.activity().secondsSinceConfirmed,
  );
  labelled("registry_updates", "result", "New registry documents since the start, by result", () => {
    const { accepted, refused } = sources.registry.activity();
    return Object.entries({ accepted, refused });
  });
}

const AUDIT_STATUSES = ["ok", "red", "failed"] as const;

export function collectAudits(registry: Registry, audit: Pick<Auditor, "state">): void {
  const { gauge, labelled } = gaugesIn(registry);
  const last = () => audit.state().last;
  gauge("audit_running", "1 while an audit runs", () => Number(audit.state().running !== null));
  gauge("audit_block", "The block of the last audit", () => numberOf(last()?.block));
  gauge("audit_timestamp_seconds", "The chain's time at that block", () => {
    const at = last()?.at ?? null;
    return at === null ? null : Date.parse(at) / 1000;
  });
  gauge("audit_differences", "Findings of the last audit", () => numberOf(last()?.findings.length));
  labelled("audit_status", "status", "1 for the result of the last audit", () => {
    const status = last()?.status;
    return status === undefined ? [] : AUDIT_STATUSES.map((each) => [each, Number(each === status)]);
  });
}

function numberOf(value: bigint | number | string | null | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}

/** Gauges read at each scrape. */
function gaugesIn(registry: Registry) {
  const options = (name: string, help: string, aggregator: Worst) => ({
    name: `raisebook_${name}`,
    help,
    aggregator,
    registers: [registry],
  });
  return {
    gauge(name: string, help: string, read: Read, worst: Worst = "max") {
      new Gauge({
        ...options(name, help, worst),
        collect() {
          const value = read();
          if (value === null) this.remove();
          else this.set(value);
        },
      });
    },
    labelled(name: string, label: string, help: string, read: Labelled) {
      new Gauge({
        ...options(name, help, "max"),
        labelNames: [label],
        collect() {
          this.reset();
          for (const [each, value] of read()) this.set({ [label]: each }, value);
        },
      });
    },
  };
}
