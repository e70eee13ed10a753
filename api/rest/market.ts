/**
 * The paths that answer from the market, live or as of a moment of the past. Interface document, "Endpoints".
 * @module
 */
import type { Context, Hono } from "hono";
import type { Block } from "../../src/fold/events.ts";
import type { AsOf, NoPast } from "../history/history.ts";
import { type Body, createBodyCache, createBoundedBodyCache, jsonBody } from "../http/body.ts";
import { nextPage } from "../http/next-page.ts";
import { problem } from "../http/problem.ts";
import { answer, download } from "../http/respond.ts";
import { queryListings } from "../market/listings-query.ts";
import { findListing, type Market } from "../market/project.ts";
import type { Listing } from "../market/schema.ts";
import { quote } from "../untrusted-text.ts";
import { listingsCsv } from "./csv.ts";
import type { RestDependencies } from "./dependencies.ts";
import { asOfParameters, listingsParameters } from "./listings-parameters.ts";
import { readParameters } from "./parameters.ts";
import { notFound, notIndexedYet, onGet, wantedType } from "./route.ts";
import * as routes from "./routes.ts";

const JSON_ONLY = ["application/json"] as const;
const JSON_OR_CSV = ["application/json", "text/csv"] as const;

/** Of the encoded answers about the past. */
const MOST_PAST_BYTES = 64 * 1024 * 1024;

/** What a handler answers from: the market, its encoded bodies, and how far the index is. */
type View = { market: Market; head: Block; body(key: string, make: () => Body): Body };
type Route = Parameters<typeof onGet>[1];

/** Adds listings, originators, schedules and statistics to the routes under `/v1`. */
export function addMarketRoutes(rest: Hono, deps: RestDependencies): void {
  const ofMarket = createBodyCache();
  const ofPast = createBoundedBodyCache(MOST_PAST_BYTES);

  /** The view as of a moment, or the answer that says why there is none. */
  const viewAt = async (c: Context, asOf: AsOf = "head"): Promise<View | Response> => {
    const snapshot = deps.feed.current();
    if (snapshot === null) return notIndexedYet(c);
    const market = await deps.history.at(snapshot, asOf);
    if ("reason" in market) return noPast(c, market);
    const bodies = market === snapshot.market ? ofMarket : ofPast;
    return { market, head: snapshot.market.head, body: (key, make) => bodies(market, key, make) };
  };

  const onMarket = (route: Route, bodyOf: (view: View, c: Context) => Body | Response) =>
    onGet(rest, route, async (c) => {
      const type = wantedType(c, JSON_ONLY);
      if (type instanceof Response) return type;
      const read = readParameters(c.req.url, asOfParameters);
      if ("problem" in read) return problem(c, { code: "invalid_parameter", ...read.problem });
      const view = await viewAt(c, read.values.asOf);
      if (view instanceof Response) return view;
      const body = bodyOf(view, c);
      return body instanceof Response ? body : answer(c, body, view.head);
    });

  const onListing = (route: Route, bodyOf: (listing: Listing, view: View) => Body) =>
    onMarket(route, (view, c) => {
      const id = c.req.param("id") ?? "";
      const listing = findListing(view.market, id);
      if (listing !== undefined) return bodyOf(listing, view);
      return notFound(c, `No visible listing has the public id or refnum ${quote(id)}.`);
    });

  const answerListings = async (c: Context, type: (typeof JSON_OR_CSV)[number]) => {
    const read = readParameters(c.req.url, listingsParameters);
    if ("problem" in read) return problem(c, { code: "invalid_parameter", ...read.problem });
    const { asOf, ...query } = read.values;
    const view = await viewAt(c, asOf);
    if (view instanceof Response) return view;
    const { market, body, head } = view;
    const { trading } = market;
    const encode = (found: readonly Listing[], page: object = {}) =>
      type === "text/csv" ? listingsCsv(found) : jsonBody({ listings: found, trading, ...page });
    // The answer that everybody asks for is encoded once; what somebody filters is not kept.
    if (Object.keys(query).length === 0) {
      return answer(
        c,
        body(`listings as ${type}`, () => encode(market.listings)),
        head,
      );
    }
    const { listings, nextCursor } = queryListings(market.listings, query);
    const page = query.limit === undefined && query.cursor === undefined ? {} : { page: { nextCursor } };
    return answer(c, encode(listings, page), head, nextPage(c.req.url, deps.site, nextCursor));
  };

  onGet(rest, routes.listListings, (c) => {
    const type = wantedType(c, JSON_OR_CSV);
    return type instanceof Response ? type : answerListings(c, type);
  });
  // A link that is clicked asks for HTML first: the path says what is wanted.
  onGet(rest, routes.listListingsCsv, async (c) =>
    download(await answerListings(c, "text/csv"), "listings.csv"),
  );

  onListing(routes.getListing, (listing, { body }) => body(listing.publicId, () => jsonBody(listing)));
  onListing(routes.getSchedule, (listing, { market, body }) =>
    body(`schedule of ${listing.publicId}`, () => jsonBody(market.scheduleOf(listing))),
  );

  onMarket(routes.listOriginators, ({ market, body }) =>
    body("originators", () => jsonBody({ originators: market.originators })),
  );
  onMarket(routes.getOriginator, ({ market, body }, c) => {
    const id = c.req.param("publicId") ?? "";
    const originator = market.originatorByPublicId.get(id);
    if (originator !== undefined) return body(id, () => jsonBody(originator));
    return notFound(c, `No visible originator has the public id ${quote(id)}.`);
  });

  onMarket(routes.getStats, ({ market, body }) => body("stats", () => jsonBody(market.stats)));
}

/** Seconds after which to ask again for a past that cannot be told now. */
const RETRY_AFTER = { backfilling: "10", chain_silent: "2", too_many_requests: "2" } as const;

function noPast(c: Context, { reason, detail }: NoPast): Response {
  if (reason === "out_of_range") {
    const errors = [{ parameter: "asOf", detail, allowed: ["head", "a moment between the two blocks"] }];
    return problem(c, { code: "invalid_parameter", detail, errors });
  }
  return problem(c, { code: reason, detail, headers: { "Retry-After": RETRY_AFTER[reason] } });
}
