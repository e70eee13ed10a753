/**
 * The errors that a query can have, each with a code for programs in `extensions.code` and with what is allowed.
 * @module
 */

import type { ParameterError } from "../http/problem.ts";
import type { NoPage } from "../ledger/read.ts";
import { GraphQLError } from "./packages.ts";

/** The HTTP status and headers of an answer that has nothing but this error. yoga keeps them out of the body. */
type Http = { status: number; spec?: true; headers?: Record<string, string> };

/** 400, but 200 to a client that only takes application/json: GraphQL over HTTP. */
export const REFUSED: Http = { status: 400, spec: true };

/** Before Ponder's first checkpoint. */
export function notIndexedYet(): GraphQLError {
  const http: Http = { status: 503, headers: { "Retry-After": "2" } };
  return new GraphQLError("The indexer has not finished its first block yet; ask again in a moment.", {
    extensions: { code: "NOT_INDEXED_YET", http },
  });
}

/** What only the database has, while that does not answer. */
export function databaseSilent(): GraphQLError {
  const http: Http = { status: 503, headers: { "Retry-After": "5" } };
  return new GraphQLError("The database does not answer; try again in some seconds.", {
    extensions: { code: "DATABASE_SILENT", http },
  });
}

/** Why there is no page of events. */
export function noEvents(reason: NoPage): GraphQLError {
  if (reason === "not_indexed_yet") return notIndexedYet();
  const http: Http = { status: 503, headers: { "Retry-After": "10" } };
  return new GraphQLError(
    "The events of all listings can be read once the backfill is over; those of one listing can now.",
    { extensions: { code: "BACKFILLING", http } },
  );
}

/** Arguments that are not allowed, all of them at once; `parameter` is the argument's name. */
export function badInput(errors: readonly ParameterError[]): GraphQLError {
  const message = errors
    .map(({ parameter, detail, allowed }) => `"${parameter}": ${detail} Allowed: ${allowed.join(", ")}.`)
    .join(" ");
  return new GraphQLError(message, { extensions: { code: "BAD_USER_INPUT", errors, http: REFUSED } });
}

/** A query that is more than a limit allows. */
export function overLimit(code: string, message: string, limit: number): GraphQLError {
  return new GraphQLError(message, { extensions: { code, limit, http: REFUSED } });
}

/** A mutation or a subscription. */
export function notSupported(operation: string): GraphQLError {
  const message = `There is no ${operation} here: this interface only answers queries.`;
  return new GraphQLError(message, { extensions: { code: "OPERATION_NOT_SUPPORTED", http: REFUSED } });
}
