/**
 * The state of the service. Probes send all kinds of headers and parameters, which these paths ignore. Interface document,
 * GET /health.
 * @module
 */
import { createRoute } from "@hono/zod-openapi";
import { auditorSchema } from "../health/audit.ts";
import { healthSchema, readySchema } from "../health/schema.ts";
import { problemAnswer } from "../http/described-answers.ts";
import { ProblemError } from "../http/problem.ts";
import { answerNow } from "../http/respond.ts";
import { nowAnswers } from "./answers.ts";
import type { RestDependencies } from "./dependencies.ts";
import type { RestApi } from "./route.ts";

export const getHealth = createRoute({
  method: "get",
  path: "/health",
  operationId: "health",
  summary: "The health of the service",
  description: "200 while the process serves, whatever the state of the index.",
  tags: ["Service"],
  responses: nowAnswers("The service is up.", healthSchema),
});

export const getReady = createRoute({
  method: "get",
  path: "/ready",
  operationId: "ready",
  summary: "Whether the service is at the head of the chain",
  description: "200 only when the backfill is over and the index is at most 10 blocks behind the chain.",
  tags: ["Service"],
  responses: {
    ...nowAnswers("Ready.", readySchema),
    503: problemAnswer("Not at the head of the chain; see `Retry-After`.", "RetryAfter"),
  },
});

export const getAudit = createRoute({
  method: "get",
  path: "/audit",
  operationId: "getAudit",
  summary: "The last audit",
  description:
    "The operator's last check of every figure against the contracts, and of the tables against the ledger.",
  tags: ["Service"],
  responses: nowAnswers("The last audit, and the progress of the running one.", auditorSchema),
});

export function addService(api: RestApi, { health, audit }: RestDependencies): void {
  api.openapi(getHealth, (c) => answerNow(c, health.report()));

  api.openapi(getReady, (c) => {
    if (health.isReady()) return answerNow(c, { status: "ready" });
    const { indexedBlock, headBlock } = health.report();
    const detail = health.isDatabaseSilent()
      ? "The database does not answer."
      : `The index is not at the head of the chain: indexed block ${indexedBlock ?? "none"}, head ${headBlock ?? "unknown"}.`;
    throw new ProblemError({ code: "not_ready", detail, headers: { "Retry-After": "1" } });
  });

  api.openapi(getAudit, (c) => answerNow(c, audit.state()));
}
