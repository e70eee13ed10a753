/**
 * The paths at which clients look for an authorization server, and must find none. Interface document,
 * "Authentication", 2, and "Discovery and agent-facing files", rule 3.
 *
 * Do not "mend" this. Clients of the tool endpoint probe these paths before they connect, with the endpoint's path as
 * a suffix too: a 404 means "no authorization, connect". With a page, an empty object, a redirect or a 401 in its place
 * they try to sign in, and give up. So it is a 404 for every method, whatever the client accepts, with nothing in it
 * that reads like such a document.
 *
 * The same holds for whatever else is unknown below `/.well-known`: programs look there, and a page that says "not
 * found" has misled some. However a path is spelt, it ends here and not at the pages.
 * @module
 */
import type { Hono } from "hono";
import { PATHS } from "../http/links.ts";
import { problem } from "../http/problem.ts";

/** Of a path in its plain spelling. A client that knows an endpoint asks below it as well. */
const AUTHORIZATION =
  /\/\.well-known\/(openid-configuration|oauth-authorization-server|oauth-protected-resource)(\/|$)|^(\/v1)?(\/mcp)?\/(register|authorize|token)(\/|$)/;
const WELL_KNOWN = /\/\.well-known(\/|$)/;

/** Comes after the files that are there. OPTIONS never comes here: CORS answers it. */
export function addNoAuthorization(discovery: Hono, publicUrl: string): void {
  const noServer = `There is no authorization server: everything here is public. Connect without credentials, see ${publicUrl}${PATHS.auth}`;
  discovery.all("*", (c, next) => {
    const path = plainSpelling(c.req.path);
    if (AUTHORIZATION.test(path)) return problem(c, { code: "not_found", detail: noServer });
    if (!WELL_KNOWN.test(path)) return next();
    return problem(c, { code: "not_found", detail: "There is nothing at this path." });
  });
}

/** Decoded once, in small letters, with one slash between two names. */
function plainSpelling(path: string): string {
  const decoded = path.replace(/%([0-7][0-9A-Fa-f])/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decoded.toLowerCase().replace(/[/\\]+/g, "/");
}
