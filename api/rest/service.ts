/**
 * How the service is doing. A probe asks these paths with whatever headers and parameters it has: they answer all
 * the same. Interface document, GET /health.
 * @module
 */
import type { Hono } from "hono";
import { problem } from "../http/problem.ts";
import { answerNow } from "../http/respond.ts";
import type { RestDependencies } from "./dependencies.ts";
import { onGet } from "./route.ts";
import * as routes from "./routes.ts";

/** Adds health, readiness and the audit to the routes under `/v1`. */
export function addServiceRoutes(rest: Hono, { health, audit }: RestDependencies): void {
  onGet(rest, routes.health, (c) => answerNow(c, health.report()));

  onGet(rest, routes.ready, (c) => {
    if (health.isReady()) return answerNow(c, { status: "ready" });
    const { indexedBlock, headBlock } = health.report();
    const detail = health.isDatabaseSilent()
      ? "The database does not answer."
      : `The index is not at the head of the chain: indexed block ${indexedBlock ?? "none"}, head ${headBlock ?? "unknown"}.`;
    return problem(c, { code: "not_ready", detail, headers: { "Retry-After": "1" } });
  });

  onGet(rest, routes.getAudit, (c) => answerNow(c, audit.state()));
}
