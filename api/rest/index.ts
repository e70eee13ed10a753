/**
 * The REST face under `/v1`. Interface document, "Endpoints".
 * @module
 */
import { Hono } from "hono";
import type { AppDependencies } from "../dependencies.ts";
import { methodNotAllowed } from "../http/problem.ts";
import { answerStatic } from "../http/respond.ts";
import { addLedgerRoutes } from "./ledger.ts";
import { addMarketRoutes } from "./market.ts";
import { IN_ORDER } from "../openapi/describe.ts";
import { rootBody } from "./root.ts";
import { addServiceRoutes } from "./service.ts";

/** The routes under `/v1`. */
export function createRest(deps: AppDependencies): Hono {
  const rest = new Hono();
  const root = rootBody(deps.site.publicUrl, IN_ORDER);
  rest.get("/", (c) => answerStatic(c, root));
  rest.all("/", methodNotAllowed);
  addMarketRoutes(rest, deps);
  addLedgerRoutes(rest, deps);
  addServiceRoutes(rest, deps);
  return rest;
}
