/**
 * What only the operator may ask: served beside the indexer's own metrics, on a loopback port that nothing forwards to.
 * @module
 */
import { type Context, Hono } from "hono";
import { isLoopbackHost } from "../config/values.ts";
import type { AuditorState } from "./health/audit.ts";

const ABOUT = `The operator's side of Raisebook, for this machine alone.

  GET  /metrics   the indexer's metrics, for Prometheus
  GET  /status    the last indexed block
  GET  /audit     the last audit of every figure, and the one that is running
  POST /audit     begins an audit, unless one has just ended
`;

/** Runs audits, one at a time. */
export type Auditor = {
  /** Begins an audit unless one is running or has just ended. */
  start(): void;
  state(): AuditorState;
};

/**
 * The operator's app; Ponder puts its own routes beside it.
 *
 * Which server a request reached decides, not its peer: behind a proxy on this machine every peer is local.
 */
export function createOperatorApp(audit: Auditor): Hono {
  const app = new Hono();
  app.get("/", (c) => c.text(ABOUT));
  app.get("/audit", (c) => c.json(audit.state()));
  app.post("/audit", (c) => {
    if (!isOperator(c)) return c.text("Only programs on this machine may begin an audit.\n", 403);
    audit.start();
    return c.json(audit.state(), 202);
  });
  return app;
}

/** Not a page in a browser on this machine, which could send a form here or give the address a name of its own. */
function isOperator(c: Context): boolean {
  const isPage = c.req.header("Origin") !== undefined || c.req.header("Sec-Fetch-Site") !== undefined;
  return !isPage && isLoopbackHost(new URL(c.req.url).hostname);
}
