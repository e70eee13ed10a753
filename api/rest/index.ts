/**
 * The REST face under `/v1`. Interface document, "Endpoints".
 * @module
 */
import { Hono } from "hono";
import type { AppDependencies } from "../dependencies.ts";
import { addLedgerRoutes } from "./ledger.ts";
import { addMarketRoutes } from "./market.ts";
import { addServiceRoutes } from "./service.ts";

/** The routes under `/v1`. */
export function createRest(deps: AppDependencies): Hono {
  const rest = new Hono();
  addMarketRoutes(rest, deps);
  addLedgerRoutes(rest, deps);
  addServiceRoutes(rest, deps);
  return rest;
}
