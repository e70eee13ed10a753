/**
 * How the service is doing. A probe asks these paths with whatever headers and parameters it has: they answer all
 * the same. Interface document, GET /health.
 * @module
 */
import type { Context, Hono } from "hono";
import type { AppDependencies } from "../dependencies.ts";
import { problem } from "../problem.ts";
import { answerNow } from "./answer.ts";
import { healthOf, isReady } from "./health.ts";
import { onGet } from "./route.ts";
import * as routes from "./routes.ts";

/** Adds health, readiness and the audit to the routes under `/v1`. */
export function addServiceRoutes(rest: Hono, deps: AppDependencies): void {
  onGet(rest, routes.health, (c) => answerNow(c, healthOf(deps)));

  onGet(rest, routes.ready, (c) => {
    if (isReady(deps)) return answerNow(c, { status: "ready" });
    const { indexedBlock, headBlock } = healthOf(deps);
    const detail = `The index is not at the head of the chain: indexed block ${indexedBlock ?? "none"}, head ${headBlock ?? "unknown"}.`;
    return problem(c, { code: "not_ready", detail, headers: { "Retry-After": "1" } });
  });

  onGet(rest, routes.getAudit, (c) => {
    if (isFromThisMachine(c)) deps.audit.start();
    return answerNow(c, deps.audit.state());
  });
}

/** Headers that a proxy puts in: behind one everybody's socket is on this machine. */
const PROXY_HEADERS = ["Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP"];

/** Whether the caller is on the machine of the service, as far as the socket and the headers tell. */
function isFromThisMachine(c: Context): boolean {
  if (PROXY_HEADERS.some((name) => c.req.header(name) !== undefined)) return false;
  const { incoming } = (c.env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } };
  return /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(incoming?.socket?.remoteAddress ?? "");
}
