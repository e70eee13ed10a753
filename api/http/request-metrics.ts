/** @module Requests, counted by route pattern. Never by path: clients choose paths, and each would be its own series. */
import type { Context, MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** The pattern of requests without a route. */
const NO_ROUTE = "none";
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "OPTIONS"]);
/** Seconds. */
const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

/** `fast`: answered from memory by the fast lane; `app`: by a handler. */
type Lane = "fast" | "app";

export type Tally = { count: number };

export type RequestMetrics = {
  middleware: MiddlewareHandler;
  /** The counters of the fast lane: an answer costs an addition; the next scrape reads it. */
  fastTally(method: string | undefined, route: string, status: number): Tally;
  watchStreams(open: () => number): void;
};

export function createRequestMetrics(registry: Registry): RequestMetrics {
  type Labels = { method: string; route: string; status: number; lane: Lane };
  const tallies = new Map<string, Tally & { labels: Labels }>();
  const tallyOf = (sent: string, route: string, status: number, lane: Lane) => {
    const method = METHODS.has(sent) ? sent : "other";
    const key = `${lane} ${method} ${status} ${route}`;
    const known = tallies.get(key);
    if (known !== undefined) return known;
    const tally = { labels: { method, route, status, lane }, count: 0 };
    tallies.set(key, tally);
    return tally;
  };
  new Counter({
    name: "raisebook_http_requests_total",
    help: "Requests answered, by route pattern; lane: fast from memory, app by a handler",
    labelNames: ["method", "route", "status", "lane"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, count } of tallies.values()) this.inc(labels, count);
    },
  });
  const duration = new Histogram({
    name: "raisebook_http_request_duration_seconds",
    help: "Time until a handler's answer begins, by route pattern; without the fast lane",
    labelNames: ["route"],
    buckets: BUCKETS,
    registers: [registry],
  });
  return {
    async middleware(c, next) {
      const startedAt = performance.now();
      await next();
      const route = routeOf(c);
      tallyOf(c.req.method, route, c.res.status, "app").count += 1;
      duration.observe({ route }, (performance.now() - startedAt) / 1000);
    },
    fastTally: (method = "other", route, status) => tallyOf(method, route, status, "fast"),
    watchStreams(open) {
      new Gauge({
        name: "raisebook_streams_open",
        help: "Streams of /v1/stream that are open",
        registers: [registry],
        collect() {
          this.set(open());
        },
      });
    },
  };
}

/** The pattern of the handler that runs, or that ran last. */
export function routeOf(c: Context): string {
  const path = routePath(c);
  return path === "*" || path === "/*" || path === "" ? NO_ROUTE : path;
}
