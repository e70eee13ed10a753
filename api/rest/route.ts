/**
 * What every path has in common: it answers GET and HEAD, and says so to other methods; and the problems that any
 * of them can have.
 * @module
 */
import type { Context, Hono } from "hono";
import { preferredType } from "../http/negotiate.ts";
import { methodNotAllowed, problem } from "../http/problem.ts";

type Answer = Response | Promise<Response>;

/** Adds a path that only answers reads. */
export function onGet(
  rest: Hono,
  route: { getRoutingPath(): string },
  handler: (c: Context) => Answer,
): void {
  rest.get(route.getRoutingPath(), handler);
  rest.all(route.getRoutingPath(), methodNotAllowed);
}

/** Which of the types on offer the client wants, or the 406. */
export function wantedType<const Type extends string>(c: Context, offered: readonly Type[]): Type | Response {
  const type = preferredType(c.req.header("Accept"), offered);
  if (type !== null) return type;
  const detail = `This path answers with ${offered.join(" or ")} only.`;
  return problem(c, { code: "not_acceptable", detail });
}

/** Before Ponder's first checkpoint. */
export function notIndexedYet(c: Context): Response {
  const detail = "The indexer has not finished its first block yet; ask again in a moment.";
  return problem(c, { code: "not_indexed_yet", detail, headers: { "Retry-After": "2" } });
}

export function notFound(c: Context, detail: string): Response {
  return problem(c, { code: "not_found", detail });
}
