/** @module Common behaviour of the paths: content negotiation and parameters, as their own descriptions have them. */
import { OpenAPIHono, type RouteConfig, type z } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import { preferredType } from "../http/negotiate.ts";
import { ProblemError } from "../http/problem.ts";
import { refusedQuery } from "./parameters.ts";

type MediaType = "application/json" | "text/csv";

export type RestEnv = { Variables: { type: MediaType; parameters: readonly string[] } };
export type RestApi = OpenAPIHono<RestEnv>;
export type RestRoute = RouteConfig & { request?: { query?: z.ZodObject }; getRoutingPath(): string };

/** An app that refuses requests to these routes that do not match their descriptions, before any handler. */
export function createApi(routes: readonly RestRoute[]): RestApi {
  const api = new OpenAPIHono<RestEnv>({
    defaultHook({ target, ...result }, c) {
      if (target !== "query") return;
      const issues = result.success ? [] : result.error.issues;
      const problem = refusedQuery(c.req.url, c.get("parameters"), issues);
      if (problem !== null) throw new ProblemError(problem);
    },
  });
  const paths = new Set(routes.map(({ path }) => path));
  for (const route of routes) {
    // A list is also offered as the CSV file next to it. Not declared here: from two types, generated clients make one that fits neither.
    const isCsvToo = paths.has(`${route.path}.csv`);
    api.get(route.getRoutingPath(), negotiating(route, isCsvToo ? ["text/csv"] : []));
  }
  return api;
}

/** Finds the client's preferred type. A path without a 406 has only one and negotiates nothing. */
function negotiating({ request, responses }: RestRoute, undeclared: readonly MediaType[]) {
  const { 200: ok, 406: refusal } = responses;
  const declared = Object.keys(ok !== undefined && "content" in ok ? (ok.content ?? {}) : {}) as MediaType[];
  const offered = [...declared, ...undeclared];
  const parameters = request?.query === undefined ? [] : Object.keys(request.query.shape);
  return createMiddleware<RestEnv>(async (c, next) => {
    const type = refusal === undefined ? offered[0] : preferredType(c.req.header("Accept"), offered);
    if (type === null || type === undefined) {
      const detail = `This path answers with ${offered.join(" or ")} only.`;
      throw new ProblemError({ code: "not_acceptable", detail });
    }
    c.set("type", type);
    c.set("parameters", parameters);
    await next();
  });
}
