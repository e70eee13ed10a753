/**
 * The REST face: each answer is a body that the feed has encoded once. Interface document, "Endpoints".
 * @module
 */
import { type Context, Hono } from "hono";
import type { AppDependencies } from "../dependencies.ts";
import { jsonBody } from "../feed/body.ts";
import type { Snapshot } from "../feed/feed.ts";
import { findListing } from "../market/project.ts";
import { methodNotAllowed, type ParameterError, problem } from "../problem.ts";
import { quote } from "../registry/text.ts";
import { answer, answerNow } from "./answer.ts";
import { healthOf, isReady } from "./health.ts";
import { acceptsJson } from "./negotiate.ts";
import * as routes from "./routes.ts";

type Route = (typeof routes)[keyof typeof routes];
type Answer = Response | Promise<Response>;

/** The routes under `/v1`. */
export function createRest(deps: AppDependencies): Hono {
  const rest = new Hono();

  const onGet = (route: Route, handler: (c: Context) => Answer) => {
    rest.get(route.getRoutingPath(), handler);
    rest.all(route.getRoutingPath(), methodNotAllowed);
  };
  const onMarket = (route: Route, handler: (c: Context, snapshot: Snapshot) => Answer) =>
    onGet(route, (c) => {
      const refused = refusal(c);
      if (refused !== null) return refused;
      const snapshot = deps.feed.current();
      return snapshot === null ? notIndexedYet(c) : handler(c, snapshot);
    });

  onMarket(routes.listListings, (c, { market, body }) => {
    const { listings, trading } = market;
    return answer(
      c,
      body("listings", () => jsonBody({ listings, trading })),
      market.head,
    );
  });

  onMarket(routes.getListing, (c, { market, body }) => {
    const id = c.req.param("id") ?? "";
    const listing = findListing(market, id);
    if (listing === undefined)
      return notFound(c, `No visible listing has the public id or refnum ${quote(id)}.`);
    return answer(
      c,
      body(listing.publicId, () => jsonBody(listing)),
      market.head,
    );
  });

  onMarket(routes.listOriginators, (c, { market, body }) => {
    const { originators } = market;
    return answer(
      c,
      body("originators", () => jsonBody({ originators })),
      market.head,
    );
  });

  onMarket(routes.getOriginator, (c, { market, body }) => {
    const id = c.req.param("publicId") ?? "";
    const originator = market.originatorByPublicId.get(id);
    if (originator === undefined) return notFound(c, `No visible originator has the public id ${quote(id)}.`);
    return answer(
      c,
      body(originator.publicId, () => jsonBody(originator)),
      market.head,
    );
  });

  // A probe asks these with whatever headers and parameters it has: they answer all the same.
  onGet(routes.health, (c) => answerNow(c, healthOf(deps)));

  onGet(routes.ready, (c) => {
    if (isReady(deps)) return answerNow(c, { status: "ready" });
    const { indexedBlock, headBlock } = healthOf(deps);
    const detail = `The index is not at the head of the chain: indexed block ${indexedBlock ?? "none"}, head ${headBlock ?? "unknown"}.`;
    return problem(c, { code: "not_ready", detail, headers: { "Retry-After": "1" } });
  });

  return rest;
}

/** Why a GET cannot be answered whatever the market is; null when nothing is wrong with it. */
function refusal(c: Context): Response | null {
  if (!acceptsJson(c.req.header("Accept"))) {
    return problem(c, { code: "not_acceptable", detail: "This path answers with application/json only." });
  }
  if (!c.req.url.includes("?")) return null;
  // Not `c.req.query()`: it is a plain object, in which "toString" and "__proto__" are there already.
  const names = [...new Set(new URL(c.req.url).searchParams.keys())];
  const errors: ParameterError[] = names.map((parameter) => ({
    parameter,
    detail: "There is no such parameter; this path takes none.",
    allowed: [],
  }));
  if (errors.length === 0) return null;
  return problem(c, {
    code: "invalid_parameter",
    detail: `Unknown query parameter: ${names.map(quote).join(", ")}. This path takes none.`,
    errors,
  });
}

function notIndexedYet(c: Context): Response {
  const detail = "The indexer has not finished its first block yet; ask again in a moment.";
  return problem(c, { code: "not_indexed_yet", detail, headers: { "Retry-After": "2" } });
}

function notFound(c: Context, detail: string): Response {
  return problem(c, { code: "not_found", detail });
}
