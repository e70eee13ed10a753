/**
 * The routes of the ledger and of the anomalies as OpenAPI describes them. Paths are relative to `/v1`.
 * @module
 */
import { createRoute, z } from "@hono/zod-openapi";
import { anomaliesSchema } from "../ledger/anomaly.ts";
import { ledgerPageSchema } from "../ledger/schema.ts";
import { csvAnswers, dataAnswers, orCsv, problemAnswer, retryHeaders } from "./described-answers.ts";
import { anomalyParameters, ledgerParameters } from "./ledger-parameters.ts";

const headers = z.object({
  "if-none-match": z
    .string()
    .optional()
    .openapi({ description: "Tags that the client has; a current one is answered with 304." }),
});
const params = z.object({
  id: z.string().openapi({
    param: { name: "id", in: "path" },
    description: "Public id or refnum.",
    example: "lst_bakery",
  }),
});
const DESCRIPTION =
  "Newest first. A final event is returned exactly once by a walk from page to page; a pending one can still be reorged away.";

const pageAnswers = dataAnswers("A page of the ledger.", ledgerPageSchema);
const fileAnswers = csvAnswers("A page of the ledger.", pageAnswers);
const feedNotYet = {
  503: problemAnswer("Nothing is indexed yet, or the backfill is not over; see `Retry-After`.", retryHeaders),
};
const noListing = { 404: problemAnswer("No such visible listing.") };

export const listEvents = createRoute({
  method: "get",
  path: "/events",
  operationId: "listEvents",
  summary: "The ledger of all visible listings",
  description: `${DESCRIPTION} Until the backfill is over: 503 with the code \`backfilling\`.`,
  tags: ["Ledger"],
  request: { query: ledgerParameters, headers },
  responses: { ...orCsv(pageAnswers), ...feedNotYet },
});

export const listEventsCsv = createRoute({
  ...listEvents,
  path: "/events.csv",
  operationId: "listEventsCsv",
  summary: "The ledger of all visible listings as a file",
  responses: { ...fileAnswers, ...feedNotYet },
});

export const listListingEvents = createRoute({
  method: "get",
  path: "/listings/{id}/events",
  operationId: "listListingEvents",
  summary: "The ledger of one listing",
  description: DESCRIPTION,
  tags: ["Ledger"],
  request: { params, query: ledgerParameters, headers },
  responses: { ...orCsv(pageAnswers), ...noListing },
});

export const listListingEventsCsv = createRoute({
  ...listListingEvents,
  path: "/listings/{id}/events.csv",
  operationId: "listListingEventsCsv",
  summary: "The ledger of one listing as a file",
  responses: { ...fileAnswers, ...noListing },
});

export const listAnomalies = createRoute({
  method: "get",
  path: "/anomalies",
  operationId: "listAnomalies",
  summary: "What did not add up on the chain",
  description:
    "Newest first, of listings that are not visible too: they are facts of the chain, named by escrow and on-chain id.",
  tags: ["Ledger"],
  request: { query: anomalyParameters, headers },
  responses: dataAnswers("A page of the anomalies.", anomaliesSchema),
});
