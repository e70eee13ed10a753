/** @module The operator's own routes, served with the indexer's metrics on a loopback port that is never forwarded. */
import { type Context, Hono } from "hono";
import type { Registry } from "prom-client";
import { isForeignName, isLoopbackHost } from "../config/values.ts";
import type { Auditor } from "./health/audit.ts";

const ABOUT = `The operator's side of Raisebook, for this machine only.

  GET  /metrics            the indexer's metrics, for Prometheus
  GET  /metrics/raisebook  the service's own: lag, requests, registry, audits
  GET  /status             the last indexed block
  GET  /audit              the last audit of every figure, and the one that is running
  POST /audit              starts an audit, unless one has just ended
`;

/** Access depends on the server that a request reaches, not on its peer: behind a local proxy every peer is local. */
export function createOperatorApp(audit: Auditor, metrics: Registry): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    if (isForeignName(c.req.header("Host"))) return c.text("Ask for 127.0.0.1 or localhost.\n", 403);
    return next();
  });
  app.get("/", (c) => c.text(ABOUT));
  app.get("/metrics/raisebook", async (c) =>
    c.body(await metrics.metrics(), 200, { "Content-Type": metrics.contentType }),
  );
  app.get("/audit", (c) => c.json(audit.state()));
  app.post("/audit", (c) => {
    if (!isOperator(c)) return c.text("Only programs on this machine may start an audit.\n", 403);
    audit.start();
    return c.json(audit.state(), 202);
  });
  return app;
}

/** Excludes pages in a local browser, which could post a form here or use a DNS name for this address. */
function isOperator(c: Context): boolean {
  const isPage = c.req.header("Origin") !== undefined || c.req.header("Sec-Fetch-Site") !== undefined;
  return !isPage && isLoopbackHost(new URL(c.req.url).hostname);
}
