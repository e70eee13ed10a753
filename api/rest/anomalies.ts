/**
 * Pages of anomalies, read from the tables for each request.
 * @module
 */
import { createRoute, z } from "@hono/zod-openapi";
import { jsonBody } from "../http/body.ts";
import { pageOrProblem } from "../http/not-yet.ts";
import { answer, nextPage } from "../http/respond.ts";
import { anomaliesSchema } from "../ledger/anomaly.ts";
import { decodeAnomalyCursor } from "../ledger/cursor.ts";
import { inStep } from "../ledger/in-step.ts";
import { pairOf, toAnomalyPage } from "../ledger/pages.ts";
import { ANOMALIES_FIELDS } from "../ledger/query-fields.ts";
import type { AnomalyQuery } from "../ledger/read.ts";
import { findListing, type Market } from "../market/market.ts";
import { LONGEST_PAGE, limitField, PAGE_LENGTH } from "../market/query-field.ts";
import { dataAnswers, inPages } from "./answers.ts";
import type { RestDependencies } from "./dependencies.ts";
import { cursorParameter, parameter, parameters } from "./parameters.ts";
import type { RestApi } from "./route.ts";
import { headOf, indexed } from "./view.ts";

const anomaliesParameters = z.object({
  ...parameters(ANOMALIES_FIELDS),
  listing: z.string().optional().openapi({
    description: "Only of this visible listing: its public id or refnum.",
    example: "lst_bakery",
  }),
  limit: parameter(limitField(LONGEST_PAGE, PAGE_LENGTH)),
  cursor: cursorParameter(decodeAnomalyCursor),
});

export const listAnomalies = createRoute({
  method: "get",
  path: "/anomalies",
  operationId: "listAnomalies",
  summary: "Anomalies of the chain",
  description:
    "Newest first, also of listings that are not visible: anomalies are facts of the chain, identified by escrow and on-chain id.",
  tags: ["Ledger"],
  request: { query: anomaliesParameters },
  responses: inPages(dataAnswers("A page of the anomalies.", anomaliesSchema)),
});

export function addAnomalies(api: RestApi, deps: RestDependencies): void {
  api.openapi(listAnomalies, (c) =>
    inStep(deps, async (current, ledger) => {
      const snapshot = indexed(current);
      const { market } = snapshot;
      const page = pageOrProblem(await ledger.anomalies(toAnomalyQuery(c.req.valid("query"), market)));
      const { nextCursor, ...shown } = toAnomalyPage(page, market);
      const body = jsonBody({ ...shown, page: { nextCursor } });
      return answer(c, body, headOf(page, snapshot), {
        headers: nextPage(c.req.url, deps.publicSettings, nextCursor),
      });
    }),
  );
}

/** An unknown listing is not an error: it has no anomalies. */
function toAnomalyQuery(query: z.output<typeof anomaliesParameters>, market: Market): AnomalyQuery {
  const { kind, listing, limit = PAGE_LENGTH, cursor = null } = query;
  const visible = listing === undefined ? undefined : findListing(market, listing);
  const pairs = listing === undefined ? null : visible === undefined ? [] : [pairOf(visible)];
  return { kinds: kind === undefined ? null : new Set(kind), pairs, before: cursor, limit };
}
