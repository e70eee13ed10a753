/**
 * The routes of the ledger and of the anomalies as OpenAPI describes them. Paths are relative to `/v1`.
 * @module
 */
import { createRoute } from "@hono/zod-openapi";
import { csvAnswers, dataAnswers, inPages, orCsv, problemAnswer } from "../http/described-answers.ts";
import { idParameter, ifNoneMatch } from "../http/described-requests.ts";
import { anomaliesSchema } from "../ledger/anomaly.ts";
import { ledgerPageSchema } from "../ledger/schema.ts";
import { anomalyParameters, ledgerParameters } from "./ledger-parameters.ts";

const DESCRIPTION =
  "Newest first. A final event is returned exactly once by a walk from page to page; a pending one can still be reorged away.";

const pageAnswers = inPages(dataAnswers("A page of the ledger.", ledgerPageSchema));
const fileAnswers = csvAnswers("A page of the ledger.", pageAnswers);
const feedNotYet = {
  503: problemAnswer("Nothing is indexed yet, or the backfill is not over; see `Retry-After`.", "RetryAfter"),
};
const noListing = { 404: problemAnswer("No such visible listing.") };

export const listEvents = createRoute({
  method: "get",
  path: "/events",
  operationId: "listEvents",
  summary: "The ledger of all visible listings",
  description: `${DESCRIPTION} Until the backfill is over: 503 with the code \`backfilling\`.`,
  tags: ["Ledger"],
  request: { query: ledgerParameters, headers: ifNoneMatch },
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
  request: { params: idParameter, query: ledgerParameters, headers: ifNoneMatch },
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
  request: { query: anomalyParameters, headers: ifNoneMatch },
  responses: inPages(dataAnswers("A page of the anomalies.", anomaliesSchema)),
});
