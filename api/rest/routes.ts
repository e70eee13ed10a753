/**
 * The REST routes as OpenAPI describes them: paths, parameters, answers. Paths are relative to `/v1`.
 * @module
 */
import { createRoute, z } from "@hono/zod-openapi";
import { listingSchema, originatorSchema } from "../market/schema.ts";
import {
  anyPathAnswers,
  dataAnswers,
  problemAnswer,
  requestIdHeader,
  retryHeaders,
} from "./described-answers.ts";
import { healthSchema, listingsSchema, originatorsSchema, readySchema } from "./schema.ts";

const ifNoneMatch = z.object({
  "if-none-match": z
    .string()
    .optional()
    .openapi({ description: "Tags that the client has; a current one is answered with 304." }),
});
const idParameter = z.object({
  id: z.string().openapi({
    param: { name: "id", in: "path" },
    description: "Public id or refnum.",
    example: "lst_bakery",
  }),
});
const publicIdParameter = z.object({
  publicId: z.string().openapi({
    param: { name: "publicId", in: "path" },
    description: "Public id.",
    example: "org_northwind",
  }),
});

export const listListings = createRoute({
  method: "get",
  path: "/listings",
  operationId: "listListings",
  summary: "All visible listings and the secondary desk",
  description: "Every currently visible listing, open or otherwise, newest first.",
  tags: ["Market"],
  request: { headers: ifNoneMatch },
  responses: dataAnswers("The market.", listingsSchema),
});

export const getListing = createRoute({
  method: "get",
  path: "/listings/{id}",
  operationId: "getListing",
  summary: "One listing",
  description: "By public id or refnum; of several visible listings with one refnum the latest created.",
  tags: ["Market"],
  request: { params: idParameter, headers: ifNoneMatch },
  responses: {
    ...dataAnswers("The listing.", listingSchema),
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
  request: { headers: ifNoneMatch },
  responses: dataAnswers("The originators.", originatorsSchema),
});

export const getOriginator = createRoute({
  method: "get",
  path: "/originators/{publicId}",
  operationId: "getOriginator",
  summary: "One originator",
  description: "By public id, with its grade and its listings.",
  tags: ["Market"],
  request: { params: publicIdParameter, headers: ifNoneMatch },
  responses: {
    ...dataAnswers("The originator.", originatorSchema),
    404: problemAnswer("No such visible originator."),
  },
});

export const health = createRoute({
  method: "get",
  path: "/health",
  operationId: "health",
  summary: "How the service is doing",
  description: "200 while the process serves, whatever the state of the index.",
  tags: ["Service"],
  responses: {
    200: {
      description: "The service is up.",
      headers: requestIdHeader,
      content: { "application/json": { schema: healthSchema } },
    },
    ...anyPathAnswers,
  },
});

export const ready = createRoute({
  method: "get",
  path: "/ready",
  operationId: "ready",
  summary: "Whether the service is at the head of the chain",
  description: "200 only when the backfill is over and the index is at most 10 blocks behind the chain.",
  tags: ["Service"],
  responses: {
    200: {
      description: "Ready.",
      headers: requestIdHeader,
      content: { "application/json": { schema: readySchema } },
    },
    503: problemAnswer("Not at the head of the chain; see `Retry-After`.", retryHeaders),
    ...anyPathAnswers,
  },
});
