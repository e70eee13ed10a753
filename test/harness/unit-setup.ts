/**
 * Puts a worker of unit tests into the service's state: the HTTP adapter has replaced the global Request and Response.
 * Files share a worker; without this they would run before or after the replacement by chance.
 * @module
 */
import { getRequestListener } from "@hono/node-server";

getRequestListener(() => new Response());
