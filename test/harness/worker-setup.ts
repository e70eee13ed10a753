/**
 * Puts a worker into the service's state: the HTTP adapter has replaced the global Request and Response. Files share a worker; without
 * this they would run before or after the replacement by chance.
 * @module
 */
import { enableCompileCache } from "node:module";
import { getRequestListener } from "@hono/node-server";

enableCompileCache(process.env.NODE_COMPILE_CACHE);
getRequestListener(() => new Response());
