/**
 * Answers that several routes have in common, as OpenAPI describes them.
 * @module
 */
import type { z } from "@hono/zod-openapi";
import { PROBLEM_TYPE, problemSchema } from "../problem.ts";

export const requestIdHeader = {
  "X-Request-Id": {
    schema: { type: "string" as const },
    description: "Names this request, for questions about it.",
  },
};
const dataHeaders = {
  ...requestIdHeader,
  ETag: {
    schema: { type: "string" as const },
    description: "Weak tag of the body; unchanged while the market is.",
  },
  "X-Indexed-Block": {
    schema: { type: "string" as const, pattern: "^[0-9]+$" },
    description: "Number of the last indexed block.",
  },
  "X-Indexed-At": {
    schema: { type: "string" as const, format: "date-time" },
    description: "Time of the last indexed block.",
  },
};

export const retryHeaders = {
  ...requestIdHeader,
  "Retry-After": {
    schema: { type: "string" as const, pattern: "^[0-9]+$" },
    description: "Seconds after which to ask again.",
  },
};

export function problemAnswer(description: string, headers: typeof requestIdHeader = requestIdHeader) {
  return { description, headers, content: { [PROBLEM_TYPE]: { schema: problemSchema } } };
}

/** What can come of any path. */
export const anyPathAnswers = {
  414: problemAnswer("The URL has more than 4,096 characters."),
  500: problemAnswer("Something went wrong in the service."),
};

/** Answers from what is indexed now. */
export function dataAnswers<Schema extends z.ZodType>(description: string, schema: Schema) {
  return {
    200: { description, headers: dataHeaders, content: { "application/json": { schema } } },
    304: { description: "Not modified: the `If-None-Match` tag is current.", headers: dataHeaders },
    503: problemAnswer("Nothing is indexed yet; see `Retry-After`.", retryHeaders),
    400: problemAnswer(
      "A parameter that does not exist or has no such value; `errors` says what is allowed.",
    ),
    406: problemAnswer("No type on offer is accepted."),
    ...anyPathAnswers,
  };
}

/** Answers from the market, live or as of a moment of the past. */
export function marketAnswers<Schema extends z.ZodType>(description: string, schema: Schema) {
  return {
    ...dataAnswers(description, schema),
    429: problemAnswer(
      "Too many moments of the past are asked for at once; see `Retry-After`.",
      retryHeaders,
    ),
    503: problemAnswer(
      "Nothing is indexed yet, or the past cannot be told yet or just now; see `Retry-After`.",
      retryHeaders,
    ),
  };
}

/** The 200 of a path that answers with CSV too. */
export function orCsv<Answers extends { 200: { content: object } }>(answers: Answers) {
  return { ...answers, 200: { ...answers[200], content: { ...answers[200].content, ...csvContent } } };
}

/** CSV, RFC 4180, with a header row. */
const csvContent = {
  "text/csv": {
    schema: {
      type: "string" as const,
      description:
        "RFC 4180 with a header row; a cell that a spreadsheet would run begins with an apostrophe.",
    },
  },
};

/** The answers of a `.csv` path. */
export function csvAnswers(description: string, answers: object) {
  const { 406: _, ...others } = answers as Record<number, object>;
  const disposition = {
    "Content-Disposition": { schema: { type: "string" as const }, description: "A file to save." },
  };
  return {
    ...others,
    200: { description, headers: { ...dataHeaders, ...disposition }, content: csvContent },
  };
}
