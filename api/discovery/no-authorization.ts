/**
 * The paths where clients look for an authorization server and must not find one. Interface document, "Authentication",
 * 2, and "Discovery and agent-facing files", rule 3.
 *
 * Do not "fix" this. Clients of the tool endpoint probe these paths before they connect, also with the endpoint's path
 * as a suffix: a 404 means "no authorization, connect". Given a page, an empty object, a redirect or a 401 they try to
 * sign in, and give up. So the answer is a 404 for every method and every `Accept`, and nothing in it resembles such a
 * document.
 *
 * The same holds for every unknown path below `/.well-known`: only programs request them, and an HTML page that says "not
 * found" has misled some of them. However a path is spelt, it ends here and never reaches the pages.
 * @module
 */
import type { Hono } from "hono";
import { PATHS } from "../http/links.ts";
import { problem } from "../http/problem.ts";

/** Matches a normalised path. Clients also probe below the endpoint that they know. */
const AUTHORIZATION =
  /\/\.well-known\/(openid-configuration|oauth-authorization-server|oauth-protected-resource)(\/|$)|^(\/v1)?(\/mcp)?\/(register|authorize|token)(\/|$)/;
const WELL_KNOWN = /\/\.well-known(\/|$)/;

/** Added after the files that exist. OPTIONS never gets here: CORS answers it. */
export function addNoAuthorization(discovery: Hono, publicUrl: string): void {
  const noServer = `There is no authorization server: everything here is public. Connect without credentials, see ${publicUrl}${PATHS.auth}`;
  discovery.all("*", (c, next) => {
    const path = normalised(c.req.path);
    if (AUTHORIZATION.test(path)) return problem(c, { code: "not_found", detail: noServer });
    if (!WELL_KNOWN.test(path)) return next();
    return problem(c, { code: "not_found", detail: "There is nothing at this path." });
  });
}

/** Decodes once, lower-cases, and collapses slashes. */
function normalised(path: string): string {
  const decoded = path.replace(/%([0-7][0-9A-Fa-f])/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decoded.toLowerCase().replace(/[/\\]+/g, "/");
}
