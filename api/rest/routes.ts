/**
 * The REST routes as OpenAPI describes them: paths, parameters, answers. Paths are relative to `/v1`.
 * @module
 */
import { createRoute } from "@hono/zod-openapi";
import { auditorSchema } from "../health/audit.ts";
import { healthSchema, readySchema } from "../health/schema.ts";
import {
  csvAnswers,
  inPages,
  marketAnswers,
  nowAnswers,
  orCsv,
  problemAnswer,
} from "../http/described-answers.ts";
import { idParameter, ifNoneMatch, publicIdParameter } from "../http/described-requests.ts";
import { listingSchema, originatorSchema, scheduleSchema, statsSchema } from "../market/schema.ts";
import { asOfParameters, listingsParameters } from "./listings-parameters.ts";
import { listingsSchema, originatorsSchema } from "./schema.ts";

export const listListings = createRoute({
  method: "get",
  path: "/listings",
  operationId: "listListings",
  summary: "All visible listings and the secondary desk",
  description:
    "Every currently visible listing, open or otherwise, newest first. Filtered, in another order and in pages when asked so; `trading` is never filtered.",
  tags: ["Market"],
  request: { query: listingsParameters, headers: ifNoneMatch },
  responses: orCsv(inPages(marketAnswers("The market.", listingsSchema))),
});

export const listListingsCsv = createRoute({
  method: "get",
  path: "/listings.csv",
  operationId: "listListingsCsv",
  summary: "The listings as CSV",
  description:
    "What `/listings` answers to `Accept: text/csv`, as a file. A column for each field of a listing.",
  tags: ["Market"],
  request: { query: listingsParameters, headers: ifNoneMatch },
  responses: csvAnswers("The listings.", inPages(marketAnswers("The market.", listingsSchema))),
});

export const getListing = createRoute({
  method: "get",
  path: "/listings/{id}",
  operationId: "getListing",
  summary: "One listing",
  description: "By public id or refnum; of several visible listings with one refnum the latest created.",
  tags: ["Market"],
  request: { params: idParameter, query: asOfParameters, headers: ifNoneMatch },
  responses: {
    ...marketAnswers("The listing.", listingSchema),
    404: problemAnswer("No such visible listing."),
  },
});

export const getSchedule = createRoute({
  method: "get",
  path: "/listings/{id}/schedule",
  operationId: "getSchedule",
  summary: "What is due on a listing and what was paid",
  description: "Principal and interest, due together at maturity; `estimated` until the money is drawn.",
  tags: ["Market"],
  request: { params: idParameter, query: asOfParameters, headers: ifNoneMatch },
  responses: {
    ...marketAnswers("The schedule.", scheduleSchema),
    404: problemAnswer("No such visible listing."),
  },
});

export const listOriginators = createRoute({
  method: "get",
  path: "/originators",
  operationId: "listOriginators",
  summary: "All originators, each with its grade and its listings",
  description: "The businesses that have published a listing.",
  tags: ["Market"],
  request: { query: asOfParameters, headers: ifNoneMatch },
  responses: marketAnswers("The originators.", originatorsSchema),
});

export const getOriginator = createRoute({
  method: "get",
  path: "/originators/{publicId}",
  operationId: "getOriginator",
  summary: "One originator",
  description: "By public id, with its grade and its listings.",
  tags: ["Market"],
  request: { params: publicIdParameter, query: asOfParameters, headers: ifNoneMatch },
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
  request: { query: asOfParameters, headers: ifNoneMatch },
  responses: marketAnswers("The statistics.", statsSchema),
});

export const health = createRoute({
  method: "get",
  path: "/health",
  operationId: "health",
  summary: "How the service is doing",
  description: "200 while the process serves, whatever the state of the index.",
  tags: ["Service"],
  responses: nowAnswers("The service is up.", healthSchema),
});

export const ready = createRoute({
  method: "get",
  path: "/ready",
  operationId: "ready",
  summary: "Whether the service is at the head of the chain",
  description: "200 only when the backfill is over and the index is at most 10 blocks behind the chain.",
  tags: ["Service"],
  responses: {
    ...nowAnswers("Ready.", readySchema),
    503: problemAnswer("Not at the head of the chain; see `Retry-After`.", "RetryAfter"),
  },
});

export const getAudit = createRoute({
  method: "get",
  path: "/audit",
  operationId: "getAudit",
  summary: "The last audit",
  description:
    "Every figure against the contracts' own, and the tables against the ledger, as the operator's last audit found them.",
  tags: ["Service"],
  responses: nowAnswers("The last audit, and how far the running one is.", auditorSchema),
});
