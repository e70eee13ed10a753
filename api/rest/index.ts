/**
 * The REST face under `/v1`. Interface document, "Endpoints".
 * @module
 */

import type { RouteConfig } from "@hono/zod-openapi";
import { Hono } from "hono";
import { methodNotAllowed } from "../http/problem.ts";
import { answerStatic } from "../http/respond.ts";
import type { RestDependencies } from "./dependencies.ts";
import { addLedgerRoutes } from "./ledger.ts";
import * as ledgerRoutes from "./ledger-routes.ts";
import { addMarketRoutes } from "./market.ts";
import { rootBody } from "./root.ts";
import * as routes from "./routes.ts";
import { addServiceRoutes } from "./service.ts";

/** As they are read. Not `Object.values(routes)`: the order of a module's names depends on what runs it. */
export const REST_ROUTES: readonly RouteConfig[] = [
  routes.listListings,
  routes.listListingsCsv,
  routes.getListing,
  routes.getSchedule,
  routes.listOriginators,
  routes.getOriginator,
  routes.getStats,
  ledgerRoutes.listEvents,
  ledgerRoutes.listEventsCsv,
  ledgerRoutes.listListingEvents,
  ledgerRoutes.listListingEventsCsv,
  ledgerRoutes.listAnomalies,
  routes.health,
  routes.ready,
  routes.getAudit,
];

/** The routes under `/v1`. */
export function createRest(deps: RestDependencies): Hono {
  const rest = new Hono();
  const root = rootBody(deps.site.publicUrl, REST_ROUTES);
  rest.get("/", (c) => answerStatic(c, root));
  rest.all("/", methodNotAllowed);
  addMarketRoutes(rest, deps);
  addLedgerRoutes(rest, deps);
  addServiceRoutes(rest, deps);
  return rest;
}
