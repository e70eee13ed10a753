/** @module The REST face under `/v1`, and the paths of the state of the service. Interface document, "Endpoints". */
import { createRoute } from "@hono/zod-openapi";
import type { Hono } from "hono";
import { auditorSchema } from "../health/audit.ts";
import type { Unready } from "../health/health.ts";
import { type Health, healthSchema, readySchema } from "../health/schema.ts";
import { problemAnswer } from "../http/described-answers.ts";
import { methodNotAllowed, ProblemError } from "../http/problem.ts";
import { answerNow, answerStatic } from "../http/respond.ts";
import { nowAnswers } from "./answers.ts";
import { addBookRoot, getBookNodes, getBookRoot } from "./book-root.ts";
import type { RestDependencies } from "./dependencies.ts";
import {
  addAnomalies,
  addEvents,
  listAnomalies,
  listEvents,
  listEventsCsv,
  listListingEvents,
  listListingEventsCsv,
} from "./events.ts";
import {
  addListings,
  addOriginators,
  getListing,
  getOriginator,
  getSchedule,
  getStats,
  listListings,
  listListingsCsv,
  listOriginators,
} from "./listings.ts";
import {
  addOverTime,
  getCohorts,
  getCohortsCsv,
  getCurvesCsv,
  getSeries,
  getSeriesCsv,
} from "./over-time.ts";
import { addProofs, getEventProof, getListingProof } from "./proofs.ts";
import { rootBody } from "./root.ts";
import { createApi, type RestApi, type RestEnv, type RestRoute } from "./route.ts";
import { addStream, getStream } from "./stream/index.ts";
import { createViews } from "./view.ts";

/** Probes send all kinds of headers and parameters, which these paths ignore. Interface document, GET /health. */
const getHealth = createRoute({
  method: "get",
  path: "/health",
  operationId: "health",
  summary: "The health of the service",
  description: "200 while the process serves, whatever the state of the index.",
  tags: ["Service"],
  responses: nowAnswers("The service is up.", healthSchema),
});

const getReady = createRoute({
  method: "get",
  path: "/ready",
  operationId: "ready",
  summary: "Whether the service is at the head of the chain",
  description:
    "200 only when the backfill is over, the index is at most 10 blocks behind the chain, and neither the RPC has been silent for " +
    "more than 60 seconds nor the database for more than 10.",
  tags: ["Service"],
  responses: {
    ...nowAnswers("Ready.", readySchema),
    503: problemAnswer("Not ready; `detail` says why, and `Retry-After` when to ask again.", "RetryAfter"),
  },
});

const getAudit = createRoute({
  method: "get",
  path: "/audit",
  operationId: "getAudit",
  summary: "The last audit",
  description:
    "The operator's last check of every figure against the contracts, and of the tables against the ledger.",
  tags: ["Service"],
  responses: nowAnswers("The last audit, and the progress of the running one.", auditorSchema),
});

const WHY_UNREADY: Record<Unready, (health: Health) => string> = {
  database_silent: () => "The database does not answer.",
  node_silent: () => "The RPC endpoints do not answer, so the head of the chain is not known.",
  backfilling: ({ indexedBlock }) => `The backfill is not over: indexed block ${indexedBlock ?? "none"}.`,
  behind: ({ indexedBlock, headBlock }) =>
    `The index is not at the head of the chain: indexed block ${indexedBlock ?? "none"}, head ${headBlock ?? "unknown"}.`,
};

function addService(api: RestApi, { health, audit }: RestDependencies): void {
  api.openapi(getHealth, (c) => answerNow(c, health.report()));

  api.openapi(getReady, (c) => {
    const reason = health.unready();
    if (reason === null) return answerNow(c, { status: "ready" });
    const detail = WHY_UNREADY[reason](health.report());
    throw new ProblemError({ code: "not_ready", detail, headers: { "Retry-After": "1" } });
  });

  api.openapi(getAudit, (c) => answerNow(c, audit.state()));
}

/** In the order of the description. */
export const REST_ROUTES: readonly RestRoute[] = [
  listListings,
  listListingsCsv,
  getListing,
  getSchedule,
  listOriginators,
  getOriginator,
  getStats,
  getSeries,
  getSeriesCsv,
  getCohorts,
  getCohortsCsv,
  getCurvesCsv,
  listEvents,
  listEventsCsv,
  listListingEvents,
  listListingEventsCsv,
  getEventProof,
  getListingProof,
  getBookRoot,
  getBookNodes,
  getStream,
  listAnomalies,
  getHealth,
  getReady,
  getAudit,
];

export function createRest(deps: RestDependencies): Hono<RestEnv> {
  const api = createApi(REST_ROUTES);
  const root = rootBody(deps.publicSettings.publicUrl, REST_ROUTES);
  api.get("/", (c) => answerStatic(c, root));
  const viewAt = createViews(deps);
  addListings(api, viewAt, deps);
  addOriginators(api, viewAt, deps);
  addOverTime(api, viewAt);
  addEvents(api, deps);
  addProofs(api, deps);
  addBookRoot(api, deps);
  addStream(api, deps);
  addAnomalies(api, deps);
  addService(api, deps);
  for (const path of ["/", ...REST_ROUTES.map((route) => route.getRoutingPath())]) {
    api.all(path, methodNotAllowed);
  }
  return api;
}
