/** @module The whole read interface as one Hono app, independent of Ponder. */
import { Hono } from "hono";
import { cors } from "hono/cors";
import { HTTPException } from "hono/http-exception";
// It declares the type of the variable `requestId`.
import type {} from "hono/request-id";
import { timeout } from "hono/timeout";
import type { Logger } from "../config/log.ts";
import { whenAsked } from "../config/when-asked.ts";
import { DatabaseSilentError } from "./database/checkpoint.ts";
import { createDiscovery } from "./discovery/index.ts";
import type { DiscoveryDependencies } from "./discovery/published.ts";
import { createSitemaps } from "./discovery/sitemap.ts";
import type { GraphqlDependencies } from "./graphql/context.ts";
import { createGraphql } from "./graphql/index.ts";
import { LIMITS } from "./graphql/limits.ts";
import { commonHeaders, EXPOSE, requestIdOf } from "./http/common-headers.ts";
import { jsonBody } from "./http/etagged-body.ts";
import { methodNotAllowed, ProblemError, problem } from "./http/problem.ts";
import type { RequestMetrics } from "./http/request-metrics.ts";
import { answerStatic, type Bindings } from "./http/respond.ts";
import { createSlots, takeSlots } from "./http/slots.ts";
import { ReorganisingError } from "./ledger/in-step.ts";
import { readsRaises } from "./market/series-query.ts";
import { TOOL_CATALOG } from "./mcp/catalog.ts";
import { createMcp } from "./mcp/index.ts";
import { describeApi } from "./openapi/describe.ts";
import type { RestDependencies } from "./rest/dependencies.ts";
import { createRest } from "./rest/index.ts";
import type { SiteDependencies } from "./site/dependencies.ts";
import { createSite } from "./site/index.ts";
import { MARKDOWN_INDEX } from "./site/pages.ts";

const LONGEST_URL = 4096;
/** Timeout of an answer in milliseconds: a body may take 30 s to arrive, the queue 10 s, and reads have their own timeouts. */
const LONGEST_WORK = 60_000;
const READS = ["GET", "HEAD", "OPTIONS"];
/** Paths that take POST because a question can be too long for a URL. They write nothing either. */
const TAKES_POST: ReadonlySet<string> = new Set(["/v1/mcp", "/mcp", "/graphql"]);
/** Paths whose errors are problems whatever `Accept` says. */
const FOR_PROGRAMS = /^\/((v1|mcp|graphql|\.well-known)(\/|$)|data\/)/;
/** Dependencies of the faces, except those they provide to each other. */
export type AppDependencies = RestDependencies &
  GraphqlDependencies &
  Omit<DiscoveryDependencies, "toolServer" | "pages"> &
  Omit<SiteDependencies, "toolServer" | "queryLimits" | "graphql" | "description" | "isKnowledgeInLlms"> & {
    version: string;
    log: Logger;
    requests?: Pick<RequestMetrics, "middleware" | "watchStreams"> | undefined;
    /** timeout of an answer in milliseconds */
    longestWork?: number;
  };

/**
 * Builds the app.
 *
 * @example
 * const response = await createApp(deps).request("/v1/health");
 */
export function createApp(deps: AppDependencies): Hono {
  const app = new Hono();
  const common = Object.entries(commonHeaders(deps.publicSettings.publicUrl));
  const preflight = cors({
    origin: "*",
    allowMethods: (_, c) => (TAKES_POST.has(c.req.path) ? [...READS, "POST"] : READS),
    // Any header may be sent; echoing the requested ones would put caller text into the answer.
    allowHeaders: ["*"],
    exposeHeaders: EXPOSE.split(","),
    maxAge: 86_400,
  });
  if (deps.requests !== undefined) app.use(deps.requests.middleware);
  app.use((c, next) => {
    const id = requestIdOf(c.req.header("X-Request-Id"));
    c.set("requestId", id);
    // Before the answer is made: changing a finished one copies its body.
    c.header("X-Request-Id", id);
    if (!(c.env as Bindings | undefined)?.addsCommonHeaders)
      for (const [name, value] of common) c.header(name, value);
    return c.req.method === "OPTIONS" ? preflight(c, next) : next();
  });
  app.use(async (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    if (pathname.length + search.length <= LONGEST_URL) return next();
    return problem(c, { code: "uri_too_long", detail: `A URL has at most ${LONGEST_URL} characters here.` });
  });
  const detail = "The answer took too long, and was given up.";
  const timedOut = new ProblemError({ code: "timed_out", detail, headers: { "Retry-After": "5" } });
  app.use(timeout(deps.longestWork ?? LONGEST_WORK, new HTTPException(503, { cause: timedOut })));

  const slots = createSlots();
  app.use(takeSlots(slots, readsRaises));

  app.use(async (c, next) => {
    await next();
    if (c.res.status !== 405 || FOR_PROGRAMS.test(c.req.path)) return;
    // Without this the replaced answer's headers would stay, including those of its body.
    c.res = undefined;
    c.res = await pages.notAllowed(c);
  });

  const { publicSettings } = deps;
  const toolServer = TOOL_CATALOG;
  const discovery = createDiscovery({ ...deps, toolServer, pages: MARKDOWN_INDEX });
  app.route("/", discovery.routes);
  const mcp = createMcp({ ...deps, slots });
  app.route("/v1/mcp", mcp);
  app.route("/mcp", mcp);
  app.route("/v1", createRest(deps));
  const graphql = createGraphql({ ...deps, slots });
  app.route("/graphql", graphql.routes);
  const description = whenAsked(() => describeApi(publicSettings, deps.contracts));
  const descriptionBody = whenAsked(() => jsonBody(description()));
  app.get("/openapi.json", (c) => answerStatic(c, descriptionBody()));
  app.all("/openapi.json", methodNotAllowed);

  const pages = createSite({
    ...deps,
    toolServer,
    queryLimits: LIMITS,
    graphql,
    description,
    isKnowledgeInLlms: discovery.isKnowledgeInLlms,
  });
  app.use(createSitemaps({ publicUrl: publicSettings.publicUrl, now: pages.pagesNow }));
  app.route("/", pages.routes);

  app.all("*", (c) => {
    const isRead = c.req.method === "GET" || c.req.method === "HEAD";
    if (isRead && !FOR_PROGRAMS.test(c.req.path)) return pages.missing(c);
    return problem(c, { code: "not_found", detail: "There is nothing at this path." });
  });
  app.onError((error, c) => {
    const cause = error instanceof HTTPException ? error.cause : error;
    if (cause instanceof ProblemError) return problem(c, cause.problem);
    if (error instanceof ReorganisingError) {
      return problem(c, { code: "reorganising", detail: error.message, headers: { "Retry-After": "2" } });
    }
    if (hasHungUp(error)) {
      deps.log.debug({ msg: "A request was cut off", path: c.req.path, error });
      return c.body(null, 400);
    }
    const id = c.get("requestId");
    if (error instanceof DatabaseSilentError) {
      deps.log.debug({ msg: "The database does not answer", requestId: id, path: c.req.path, error });
      const detail = "The database that the answer needs does not answer; try again in a few seconds.";
      return problem(c, { code: "database_silent", detail, headers: { "Retry-After": "5" } });
    }
    deps.log.error({ msg: "A request failed", requestId: id, path: c.req.path, error });
    return problem(c, {
      code: "internal_error",
      detail: "Something went wrong here; the request id leads to it.",
    });
  });
  return app;
}

/** Whether the client closed the connection before its body was complete, or sent a broken body. */
function hasHungUp(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return error.message === "aborted" || code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE";
}
