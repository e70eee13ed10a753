/**
 * The REST face under `/v1`. Interface document, "Endpoints".
 * @module
 */
import type { Hono } from "hono";
import { methodNotAllowed } from "../http/problem.ts";
import { answerStatic } from "../http/respond.ts";
import { addAnomalies, listAnomalies } from "./anomalies.ts";
import type { RestDependencies } from "./dependencies.ts";
import { addEvents, listEvents, listEventsCsv, listListingEvents, listListingEventsCsv } from "./events.ts";
import { addListings, getListing, getSchedule, listListings, listListingsCsv } from "./listings.ts";
import { addOriginators, getOriginator, getStats, listOriginators } from "./originators.ts";
import { addProofs, getEventProof, getListingProof } from "./proofs.ts";
import { rootBody } from "./root.ts";
import { createApi, type RestEnv, type RestRoute } from "./route.ts";
import { addService, getAudit, getHealth, getReady } from "./service.ts";
import { addStream, getStream } from "./stream/index.ts";
import { createViews } from "./view.ts";

/** In the order of the description. */
export const REST_ROUTES: readonly RestRoute[] = [
  listListings,
  listListingsCsv,
  getListing,
  getSchedule,
  listOriginators,
  getOriginator,
  getStats,
  listEvents,
  listEventsCsv,
  listListingEvents,
  listListingEventsCsv,
  getEventProof,
  getListingProof,
  getStream,
  listAnomalies,
  getHealth,
  getReady,
  getAudit,
];

/** The routes under `/v1`. */
export function createRest(deps: RestDependencies): Hono<RestEnv> {
  const api = createApi(REST_ROUTES);
  const root = rootBody(deps.publicSettings.publicUrl, REST_ROUTES);
  api.get("/", (c) => answerStatic(c, root));
  const viewAt = createViews(deps);
  addListings(api, viewAt, deps);
  addOriginators(api, viewAt);
  addEvents(api, deps);
  addProofs(api, deps);
  addStream(api, deps);
  addAnomalies(api, deps);
  addService(api, deps);
  for (const path of ["/", ...REST_ROUTES.map((route) => route.getRoutingPath())]) {
    api.all(path, methodNotAllowed);
  }
  return api;
}
