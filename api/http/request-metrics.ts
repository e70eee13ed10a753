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

export type RequestMetrics = {
  middleware: MiddlewareHandler;
  /** Counts an answer of the fast lane. It costs an addition; the next scrape reads it. */
  countFast(method: string | undefined, route: string, status: number): void;
  watchStreams(open: () => number): void;
};

export function createRequestMetrics(registry: Registry): RequestMetrics {
  type Tally = { labels: { method: string; route: string; status: number; lane: Lane }; count: number };
  const tallies = new Map<string, Tally>();
  const count = (method: string, route: string, status: number, lane: Lane) => {
    const known = METHODS.has(method) ? method : "other";
    const key = `${lane} ${known} ${status} ${route}`;
    const tally = tallies.get(key);
    if (tally === undefined) tallies.set(key, { labels: { method: known, route, status, lane }, count: 1 });
    else tally.count += 1;
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
      count(c.req.method, route, c.res.status, "app");
      duration.observe({ route }, (performance.now() - startedAt) / 1000);
    },
    countFast: (method = "other", route, status) => count(method, route, status, "fast"),
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
