/** @module Listings with their schedules, originators, and the market in figures. Interface document, "Endpoints". */

import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { isoTime } from "../../config/format/time.ts";
import { quote } from "../../config/format/untrusted-text.ts";
import { problemAnswer } from "../http/described-answers.ts";
import { jsonBody } from "../http/etagged-body.ts";
import { ProblemError } from "../http/problem.ts";
import { asDownload, type Headers, nextPage } from "../http/respond.ts";
import { pageSchema } from "../ledger/schema.ts";
import { listOf } from "../market/fields.ts";
import { FILTERS } from "../market/listings-filters.ts";
import { decodeListingsCursor, isOfAnotherOrder, LISTINGS_SORT } from "../market/listings-query.ts";
import { findListing, type Market } from "../market/market.ts";
import { queryMarket } from "../market/market-query.ts";
import {
  decodeOriginatorsCursor,
  ORIGINATORS_FIELDS,
  queryOriginators,
} from "../market/originators-query.ts";
import { LONGEST_PAGE, limitField, textField } from "../market/query-field.ts";
import {
  type Listing,
  listingSchema,
  originatorSchema,
  scheduleSchema,
  statsSchema,
} from "../market/schema.ts";
import { tradingSchema } from "../market/trading-schema.ts";
import { csvFile, listAnswers, marketAnswers } from "./answers.ts";
import { EXCEL, listingsCsv } from "./csv.ts";
import type { RestDependencies } from "./dependencies.ts";
import { cursorParameter, parameter, parameters } from "./parameters.ts";
import type { RestApi, RestEnv } from "./route.ts";
import { asOfParameters, type Moment, momentParameters, type ViewAt } from "./view.ts";

const CURSOR_FORM = "a `page.nextCursor` of this path, with the same order";

export function listingsParameters(filters: typeof FILTERS) {
  return z
    .object({
      ...parameters({ ...filters, sort: LISTINGS_SORT }),
      limit: parameter(limitField(LONGEST_PAGE, null)),
      cursor: parameter(
        textField(decodeListingsCursor, CURSOR_FORM, {
          description:
            "Continues after another page: the `page.nextCursor` of that answer, in the same order",
        }),
      ),
      ...momentParameters,
    })
    .superRefine(
      ({ sort, cursor }, context) => {
        if (!isOfAnotherOrder({ sort, cursor })) return;
        const message = `It is of the order ${cursor?.sort}, not of ${sort}. Allowed: ${CURSOR_FORM}`;
        context.addIssue({ code: "custom", path: ["cursor"], message, params: { allowed: [CURSOR_FORM] } });
      },
      // Also when another parameter is wrong: one answer names every mistake.
      { when: ({ issues }) => !issues.some(({ path }) => path?.[0] === "sort" || path?.[0] === "cursor") },
    );
}

const LISTINGS_PARAMETERS = listingsParameters(FILTERS);
const FILE_PARAMETERS = LISTINGS_PARAMETERS.safeExtend(EXCEL);

const listingsSchema = z
  .object({
    listings: listOf(listingSchema, "Every visible listing, open or otherwise; newest first."),
    trading: tradingSchema,
    page: pageSchema.optional(),
  })
  .openapi("Listings");

const pages = listAnswers("The market.", listingsSchema);

export const listListings = createRoute({
  method: "get",
  path: "/listings",
  operationId: "listListings",
  summary: "All visible listings and the secondary desk",
  description:
    "Every currently visible listing, open or otherwise, newest first; filtered, ordered and in pages on request. `trading` is never filtered. `Accept: text/csv` gets what `/listings.csv` answers. In a large market a long answer is streamed, uncompressed: filtered, ordered or as CSV without `ETag` and `Content-Length`, and the whole list may lack both after a start or many changes. Pages have them.",
  tags: ["Market"],
  request: { query: LISTINGS_PARAMETERS },
  responses: pages,
});

export const listListingsCsv = createRoute({
  ...listListings,
  path: "/listings.csv",
  operationId: "listListingsCsv",
  summary: "The listings as CSV",
  description:
    "What `/listings` answers to `Accept: text/csv`, as a file. A column for each field of a listing.",
  request: { query: FILE_PARAMETERS },
  responses: csvFile("The listings.", pages),
});

export const listingId = z.object({
  id: z.string().openapi({
    param: { name: "id", in: "path" },
    description: "Public id or refnum.",
    example: "lst_bluewater_kelp",
  }),
});

export const getListing = createRoute({
  method: "get",
  path: "/listings/{id}",
  operationId: "getListing",
  summary: "One listing",
  description: "By public id or refnum; of several visible listings with one refnum the latest created.",
  tags: ["Market"],
  request: { params: listingId, query: asOfParameters },
  responses: {
    ...marketAnswers("The listing.", listingSchema),
    404: problemAnswer("No such visible listing."),
  },
});

export const getSchedule = createRoute({
  ...getListing,
  path: "/listings/{id}/schedule",
  operationId: "getSchedule",
  summary: "The repayment schedule of a listing",
  description:
    "Principal and interest, due together at maturity; `estimated` until the money is drawn. Nothing is due on a raise that ended without a drawdown.",
  responses: {
    ...marketAnswers("The schedule.", scheduleSchema),
    404: problemAnswer("No such visible listing."),
  },
});

/**
 * The visible listing of a path.
 * @param moment the block or time that was asked for, named in the error
 * @throws {ProblemError} `not_found` if there is no such listing
 */
export function listingOf(market: Market, { id }: z.output<typeof listingId>, moment: Moment = {}): Listing {
  const listing = findListing(market, id);
  if (listing !== undefined) return listing;
  const detail = `No visible listing has the public id or refnum ${quote(id)}${whenOf(market, moment)}.`;
  throw new ProblemError({ code: "not_found", detail });
}

/** Names the requested moment in a message; empty without one. For a time, the head's number is not the block of that time. */
function whenOf({ head }: Market, { asOf, confirmations }: Moment): string {
  if (asOf === undefined && confirmations === undefined) return "";
  const isTime = typeof asOf === "object" && "time" in asOf;
  return ` as of ${isTime ? isoTime(head.timestamp) : `block ${head.number}`}`;
}

/** The parts of the market on which every list of listings depends. */
const LISTINGS_PARTS = ({ listings, trading }: Market) => [listings, trading];

export function addListings(
  api: RestApi,
  viewAt: ViewAt,
  { publicSettings }: Pick<RestDependencies, "publicSettings">,
): void {
  type Query = z.output<typeof LISTINGS_PARAMETERS> & Partial<z.output<typeof FILE_PARAMETERS>>;
  const answerListings = async (
    c: Context<RestEnv>,
    { asOf, confirmations, excel, ...query }: Query,
    headers: Headers = {},
  ) => {
    const { market, encode, answer, long } = await viewAt(c, { asOf, confirmations });
    const isCsv = c.var.type === "text/csv";
    if (Object.keys(query).length === 0) {
      if (long !== null) return isCsv ? long.csv(excel !== undefined, headers) : long.json(LISTINGS_PARTS);
      return answer(
        isCsv ? listingsCsv(market.listings.all(), excel !== undefined) : encode.market(market),
        LISTINGS_PARTS,
        headers,
      );
    }
    if (long !== null && query.limit === undefined) {
      const file = isCsv ? { isExcel: excel !== undefined } : null;
      const page = query.cursor === undefined ? undefined : { nextCursor: null };
      return long.matching({ query, file, page, headers }, LISTINGS_PARTS);
    }
    const { listings, nextCursor } = queryMarket(market, query);
    const page = query.limit === undefined && query.cursor === undefined ? undefined : { nextCursor };
    const body = isCsv ? listingsCsv(listings, excel !== undefined) : encode.listings(market, listings, page);
    return answer(body, LISTINGS_PARTS, { ...headers, ...nextPage(c.req.url, publicSettings, nextCursor) });
  };

  api.openapi(listListings, (c) => answerListings(c, c.req.valid("query")));
  api.openapi(listListingsCsv, (c) => answerListings(c, c.req.valid("query"), asDownload("listings.csv")));

  api.openapi(getListing, async (c) => {
    const moment = c.req.valid("query");
    const { market, encode, answer } = await viewAt(c, moment);
    const { id } = c.req.valid("param");
    const listing = listingOf(market, { id }, moment);
    const isPublicId = id === listing.publicId;
    return answer(encode.json(listing), (now) => [isPublicId ? now.listingKey(id) : findListing(now, id)]);
  });

  api.openapi(getSchedule, async (c) => {
    const moment = c.req.valid("query");
    const { market, answer } = await viewAt(c, moment);
    const listing = listingOf(market, c.req.valid("param"), moment);
    return answer(jsonBody(market.scheduleOf(listing)), (now) => [now]);
  });
}

const ORIGINATORS_PARAMETERS = z.object({
  ...parameters(ORIGINATORS_FIELDS),
  limit: parameter(limitField(LONGEST_PAGE, null)),
  cursor: cursorParameter(decodeOriginatorsCursor),
  ...momentParameters,
});

const originatorsSchema = z
  .object({ originators: listOf(originatorSchema, "By public id."), page: pageSchema.optional() })
  .openapi("Originators");

export const listOriginators = createRoute({
  method: "get",
  path: "/originators",
  operationId: "listOriginators",
  summary: "All originators, each with its grade and its listings",
  description:
    "The businesses that have published a listing; filtered, and in pages on request. In a large market a long answer is streamed, without `ETag` and `Content-Length`.",
  tags: ["Market"],
  request: { query: ORIGINATORS_PARAMETERS },
  responses: listAnswers("The originators.", originatorsSchema),
});

const originatorId = z.object({
  publicId: z.string().openapi({
    param: { name: "publicId", in: "path" },
    description: "Public id.",
    example: "org_bluewater",
  }),
});

export const getOriginator = createRoute({
  method: "get",
  path: "/originators/{publicId}",
  operationId: "getOriginator",
  summary: "One originator",
  description: "By public id, with its grade and its listings.",
  tags: ["Market"],
  request: { params: originatorId, query: asOfParameters },
  responses: {
    ...marketAnswers("The originator.", originatorSchema),
    404: problemAnswer("No such visible originator."),
  },
});

export const getStats = createRoute({
  method: "get",
  path: "/stats",
  operationId: "getStats",
  summary: "The market in figures",
  description: "Totals over the visible listings.",
  tags: ["Market"],
  request: { query: asOfParameters },
  responses: marketAnswers("The statistics.", statsSchema),
});

export function addOriginators(
  api: RestApi,
  viewAt: ViewAt,
  { publicSettings }: Pick<RestDependencies, "publicSettings">,
): void {
  api.openapi(listOriginators, async (c) => {
    const { asOf, confirmations, ...query } = c.req.valid("query");
    const { market, encode, answer, long } = await viewAt(c, { asOf, confirmations });
    const partsOf = (now: Market) => [now.originators];
    if (Object.keys(query).length === 0 && long === null)
      return answer(encode.originators(market.originators), partsOf);
    const { originators, nextCursor } = queryOriginators(market.originators, query);
    const page = query.limit === undefined && query.cursor === undefined ? undefined : { nextCursor };
    const headers = nextPage(c.req.url, publicSettings, nextCursor);
    return long === null
      ? answer(encode.someOriginators(originators, page), partsOf, headers)
      : long.originators({ originators, page, headers }, partsOf);
  });

  api.openapi(getOriginator, async (c) => {
    const moment = c.req.valid("query");
    const { market, encode, answer } = await viewAt(c, moment);
    const { publicId } = c.req.valid("param");
    const originator = market.originatorByPublicId.get(publicId);
    if (originator !== undefined)
      return answer(encode.originator(originator), (now) => [now.originatorByPublicId.get(publicId)]);
    const detail = `No visible originator has the public id ${quote(publicId)}${whenOf(market, moment)}.`;
    throw new ProblemError({ code: "not_found", detail });
  });

  api.openapi(getStats, async (c) => {
    const { market, encode, answer } = await viewAt(c, c.req.valid("query"));
    const { stats } = market;
    return answer(encode.json(stats), (now) => [now.stats]);
  });
}
