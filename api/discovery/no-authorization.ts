/**
 * The paths at which clients look for an authorization server, and must find none. Interface document,
 * "Authentication", 2, and "Discovery and agent-facing files", rule 3.
 *
 * Do not "mend" this. Clients of the tool endpoint probe these paths before they connect, with the endpoint's path as
 * a suffix too: a 404 means "no authorization, connect". With a page, an empty object, a redirect or a 401 in its place
 * they try to sign in, and give up. So it is a 404 for every method, whatever the client accepts, with nothing in it
 * that reads like such a document.
 * @module
 */
import type { Context, Hono } from "hono";
import { problem } from "../problem.ts";
import { PATHS } from "./links.ts";

const METADATA = ["openid-configuration", "oauth-authorization-server", "oauth-protected-resource"];
const ENDPOINTS = ["/register", "/authorize", "/token"];

/** OPTIONS never comes here: CORS answers it. */
export function addNoAuthorization(discovery: Hono, publicUrl: string): void {
  const detail = `There is no authorization server: everything here is public. Connect without credentials, see ${publicUrl}${PATHS.auth}`;
  const nothing = (c: Context) => problem(c, { code: "not_found", detail });
  for (const name of METADATA) {
    discovery.all(`/.well-known/${name}`, nothing);
    discovery.all(`/.well-known/${name}/*`, nothing);
  }
  for (const path of ENDPOINTS) discovery.all(path, nothing);
}
