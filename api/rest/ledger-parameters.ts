/**
 * The parameters of the ledger's pages and of the anomalies.
 * @module
 */
import { z } from "@hono/zod-openapi";
import { ANOMALY_KINDS, EVENT_KINDS } from "../../src/fold/vocabulary.ts";
import { decodeAnomalyPlace, decodePlace } from "../ledger/cursor.ts";
import type { AnomalyQuery, LedgerQuery } from "../ledger/read.ts";
import { pairOf } from "../ledger/show.ts";
import { findListing, type Market } from "../market/project.ts";
import { LONGEST_PAGE, limitField, PAGE_LENGTH, textField, wordsField } from "../market/query-field.ts";
import { BLOCK_OR_TIME_FORM, parseBlockOrTime } from "../time.ts";
import { parameter } from "./parameters.ts";

const CURSOR_FORM = "the nextCursor of a page of this path";
const aboutCursor = { description: "Where the page before this one ended: its `nextCursor`" };
const limit = parameter(limitField(LONGEST_PAGE, PAGE_LENGTH));
const bound = (description: string) =>
  parameter(
    textField(parseBlockOrTime, BLOCK_OR_TIME_FORM, {
      description: `${description}. A block number, or a time in ISO 8601`,
      example: "2026-03-01T12:00:00Z",
    }),
  );

export const ledgerParameters = z.object({
  kind: parameter(
    wordsField(EVENT_KINDS, {
      description: "Only these kinds of events",
      example: ["subscribed", "refunded"],
    }),
  ),
  since: bound("Only from here on, inclusive"),
  until: bound("Only up to here, inclusive"),
  limit,
  cursor: parameter(textField(decodePlace, CURSOR_FORM, { ...aboutCursor, example: "MTIwLjM" })),
});

export const anomalyParameters = z.object({
  kind: parameter(
    wordsField(ANOMALY_KINDS, { description: "Only these kinds", example: ["total_mismatch"] }),
  ),
  listing: z.string().optional().openapi({
    description: "Only of this visible listing: its public id or refnum.",
    example: "lst_bakery",
  }),
  limit,
  cursor: parameter(textField(decodeAnomalyPlace, CURSOR_FORM, aboutCursor)),
});

/** The query that the parameters ask for. */
export function toLedgerQuery(values: z.output<typeof ledgerParameters>): LedgerQuery {
  const { kind, since = null, until = null, limit: most = PAGE_LENGTH, cursor = null } = values;
  return { kinds: kind === undefined ? null : new Set(kind), since, until, before: cursor, limit: most };
}

/** The query that the parameters ask for. A listing that is not visible has no anomalies, which is no error. */
export function toAnomalyQuery(values: z.output<typeof anomalyParameters>, market: Market): AnomalyQuery {
  const { kind, listing, limit: most = PAGE_LENGTH, cursor = null } = values;
  const named = listing === undefined ? undefined : findListing(market, listing);
  const pairs = listing === undefined ? null : named === undefined ? [] : [pairOf(named)];
  return { kinds: kind === undefined ? null : new Set(kind), pairs, before: cursor, limit: most };
}
