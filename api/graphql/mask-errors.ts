/**
 * Masks errors before they leave the endpoint: each has a code and is short, nothing in it acts on a terminal, and a
 * failure inside shows only that there was one.
 * @module
 */
import type { Plugin } from "graphql-yoga";
import { oneLine } from "../../config/format/untrusted-text.ts";
import type { Logger } from "../../config/log.ts";
import { DatabaseSilentError } from "../database/checkpoint.ts";
import { ReorganisingError } from "../ledger/in-step.ts";
import type { GraphqlContext } from "./context.ts";
import { databaseSilent, REFUSED, reorganising } from "./errors.ts";
import { type ExecutionResult, GraphQLError } from "./packages.ts";

/** Characters of a message; the libraries repeat in theirs what was sent. */
const LONGEST_MESSAGE = 400;
/** Far more than readers need. */
const MOST_ERRORS = 100;

/** The plugin that has the last word on every result. */
export function maskErrors(log: Logger): Plugin<GraphqlContext, GraphqlContext> {
  return {
    onExecutionResult({ result, setResult, context }) {
      // There are neither batches nor streams.
      const { errors, ...rest } = result as ExecutionResult;
      if (errors === undefined) return;
      context.result.hasErrors = true;
      const isPartial = rest.data !== undefined && rest.data !== null;
      const masked = errors.slice(0, MOST_ERRORS).map((error) => {
        const cause = causeOf(error);
        // Such a query is retried; it is waiting, not failing.
        if (cause !== null && !(cause instanceof ReorganisingError)) {
          const { requestId } = context;
          log.error({ msg: "A query failed", requestId, path: error.path?.join("."), error: cause });
        }
        return publicError(error, cause === null ? coded(error) : failure(cause, context), isPartial);
      });
      setResult({ ...rest, errors: masked });
    },
  };
}

type Shown = { message: string; extensions: Record<string, unknown> };

function publicError(
  { nodes, source, positions, path }: GraphQLError,
  { message, extensions: { http, ...others } }: Shown,
  isPartial: boolean,
): GraphQLError {
  return new GraphQLError(oneLine(message, LONGEST_MESSAGE), {
    nodes,
    source,
    positions,
    path,
    // The status is for the whole answer; a partial one is still an answer.
    extensions: isPartial ? others : { ...others, http },
  });
}

/** The failure inside; null for an error that is the caller's to read. */
function causeOf(error: Error): Error | null {
  if (!(error instanceof GraphQLError)) return error;
  return error.originalError === undefined ? null : causeOf(error.originalError);
}

function coded({ message, extensions }: GraphQLError): Shown {
  if (typeof extensions.code === "string") return { message, extensions };
  // Errors that the libraries leave without a code: syntax errors, and variables of the wrong type.
  const code = message.startsWith("Syntax Error") ? "GRAPHQL_PARSE_FAILED" : "BAD_USER_INPUT";
  return { message, extensions: { ...extensions, code, http: REFUSED } };
}

function failure(cause: Error, { requestId }: GraphqlContext): Shown {
  if (cause instanceof DatabaseSilentError) return databaseSilent();
  if (cause instanceof ReorganisingError) return reorganising(cause);
  return {
    message: "Something went wrong here; the request id leads to it.",
    extensions: { code: "INTERNAL_SERVER_ERROR", requestId, http: { status: 500 } },
  };
}
