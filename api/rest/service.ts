/**
 * How the service is doing. A probe asks these paths with whatever headers and parameters it has: they answer all
 * the same. Interface document, GET /health.
 * @module
 */
import type { Hono } from "hono";
import type { AppDependencies } from "../dependencies.ts";
import { problem } from "../http/problem.ts";
import { answerNow } from "../http/respond.ts";
import { healthOf, isDatabaseSilent, isReady } from "../health/health.ts";
import { onGet } from "./route.ts";
import * as routes from "./routes.ts";

/** Adds health, readiness and the audit to the routes under `/v1`. */
export function addServiceRoutes(rest: Hono, deps: AppDependencies): void {
  onGet(rest, routes.health, (c) => answerNow(c, healthOf(deps)));

  onGet(rest, routes.ready, (c) => {
    if (isReady(deps)) return answerNow(c, { status: "ready" });
    const { indexedBlock, headBlock } = healthOf(deps);
    const detail = isDatabaseSilent(deps)
      ? "The database does not answer."
      : `The index is not at the head of the chain: indexed block ${indexedBlock ?? "none"}, head ${headBlock ?? "unknown"}.`;
    return problem(c, { code: "not_ready", detail, headers: { "Retry-After": "1" } });
  });

  onGet(rest, routes.getAudit, (c) => answerNow(c, deps.audit.state()));
}
