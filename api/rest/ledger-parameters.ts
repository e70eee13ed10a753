/**
 * The parameters of the ledger's pages and of the anomalies.
 * @module
 */
import { z } from "@hono/zod-openapi";
import { ANOMALY_KINDS, EVENT_KINDS } from "../../src/fold/vocabulary.ts";
import { limitParameter, listParameter, momentParameter, parameter } from "../http/parameters.ts";
import { decodeAnomalyCursor, decodeEventCursor } from "../ledger/cursor.ts";
import { pairOf } from "../ledger/pages.ts";
import type { AnomalyQuery, LedgerQuery } from "../ledger/read.ts";
import { findListing, type Market } from "../market/project.ts";

/** How many events or anomalies a page has, unless the caller says so. */
const PAGE_LENGTH = 50;
const LONGEST_PAGE = 200;

const A_CURSOR = ["the nextCursor of a page of this path"];
const cursorAbout = { description: "Where the page before this one ended: its `nextCursor`." };
const limit = limitParameter(PAGE_LENGTH, LONGEST_PAGE);

export const ledgerParameters = z.object({
  kind: listParameter(EVENT_KINDS, {
    description: "Only these kinds of events.",
    example: "subscribed,refunded",
  }),
  since: momentParameter("Only from here on, inclusive."),
  until: momentParameter("Only up to here, inclusive."),
  limit,
  cursor: parameter(decodeEventCursor, A_CURSOR, { ...cursorAbout, example: "MTIwLjM" }),
});

export const anomalyParameters = z.object({
  kind: listParameter(ANOMALY_KINDS, { description: "Only these kinds.", example: "total_mismatch" }),
  listing: z.string().optional().openapi({
    description: "Only of this visible listing: its public id or refnum.",
    example: "lst_bakery",
  }),
  limit,
  cursor: parameter(decodeAnomalyCursor, A_CURSOR, cursorAbout),
});

/** The query that the parameters ask for. */
export function toLedgerQuery(values: z.output<typeof ledgerParameters>): LedgerQuery {
  const { kind = null, since = null, until = null, limit: most = PAGE_LENGTH, cursor = null } = values;
  return { kinds: kind, since, until, before: cursor, limit: most };
}

/** The query that the parameters ask for. A listing that is not visible has no anomalies, which is no error. */
export function toAnomalyQuery(values: z.output<typeof anomalyParameters>, market: Market): AnomalyQuery {
  const { kind = null, listing, limit: most = PAGE_LENGTH, cursor = null } = values;
  const named = listing === undefined ? undefined : findListing(market, listing);
  const pairs = listing === undefined ? null : named === undefined ? [] : [pairOf(named)];
  return { kinds: kind, pairs, before: cursor, limit: most };
}
