/** @module Errors of a query: each has a code for programs in `extensions.code`, and says what is allowed. */
import type { ParameterError } from "../http/problem.ts";
import type { ReorganisingError } from "../ledger/in-step.ts";
import type { NoPage } from "../ledger/read.ts";
import { GraphQLError } from "./packages.ts";

/** The HTTP status and headers of an answer with only this error. yoga keeps them out of the body. */
type Http = { status: number; spec?: true; headers?: Record<string, string> };

/** 400, but 200 to a client that only takes application/json: GraphQL over HTTP. */
export const REFUSED: Http = { status: 400, spec: true };

/** @param retryAfter seconds */
function unavailable(code: string, retryAfter: number, message: string): GraphQLError {
  const http: Http = { status: 503, headers: { "Retry-After": `${retryAfter}` } };
  return new GraphQLError(message, { extensions: { code, http } });
}

export function notIndexedYet(): GraphQLError {
  const message = "The indexer has not finished its first block yet; ask again in a moment.";
  return unavailable("NOT_INDEXED_YET", 2, message);
}

export function databaseSilent(): GraphQLError {
  return unavailable("DATABASE_SILENT", 5, "The database does not answer; try again in a few seconds.");
}

export function reorganising({ message }: ReorganisingError): GraphQLError {
  return unavailable("REORGANISING", 2, message);
}

export function noEvents(reason: NoPage): GraphQLError {
  if (reason === "not_indexed_yet") return notIndexedYet();
  return backfilling(
    "The events of all listings can be read once the backfill is over; those of one listing can now.",
  );
}

export function backfilling(message: string): GraphQLError {
  return unavailable("BACKFILLING", 10, message);
}

/** Every argument that is not allowed; `parameter` is the argument's name. */
export function badInput(errors: readonly ParameterError[]): GraphQLError {
  const message = errors.map(({ parameter, detail }) => `"${parameter}": ${detail}`).join(" ");
  return new GraphQLError(message, { extensions: { code: "BAD_USER_INPUT", errors, http: REFUSED } });
}

export function overLimit(code: string, message: string, limit: number): GraphQLError {
  return new GraphQLError(message, { extensions: { code, limit, http: REFUSED } });
}

export function notSupported(operation: string): GraphQLError {
  const message = `There is no ${operation} here: this interface only answers queries.`;
  return new GraphQLError(message, { extensions: { code: "OPERATION_NOT_SUPPORTED", http: REFUSED } });
}
