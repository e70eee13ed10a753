/**
 * Answers that several routes have in common, as OpenAPI describes them.
 * @module
 */
import type { z } from "@hono/zod-openapi";
import { type HeaderComponent, headersOf } from "./described-headers.ts";
import { PROBLEM_TYPE, problemSchema } from "./problem.ts";

const DATA_HEADERS = ["RequestId", "ETag", "IndexedBlock", "IndexedAt", "CacheMoment", "Vary"] as const;
const FILE_HEADERS = ["RequestId", "ETag", "CacheHour", "Vary"] as const;
const NOT_MODIFIED = "Not modified: the `If-None-Match` tag is current.";

/** An error; `more` are headers beside those that every error has. */
export function problemAnswer(description: string, ...more: readonly HeaderComponent[]) {
  return {
    description,
    headers: headersOf("RequestId", "CacheNever", "Vary", ...more),
    content: { [PROBLEM_TYPE]: { schema: problemSchema } },
  };
}

/** What can come of any path. */
export const anyPathAnswers = {
  414: problemAnswer("The URL has more than 4,096 characters."),
  500: problemAnswer("Something went wrong in the service."),
};

export const notAcceptable = { 406: problemAnswer("No type on offer is accepted.") };

/** Answers from what is indexed now. */
export function dataAnswers<Schema extends z.ZodType>(description: string, schema: Schema) {
  return {
    200: {
      description,
      headers: headersOf(...DATA_HEADERS),
      content: { "application/json": { schema } },
    },
    304: { description: NOT_MODIFIED, headers: headersOf(...DATA_HEADERS) },
    503: problemAnswer(
      "Nothing is indexed yet, or the database does not answer; see `Retry-After`.",
      "RetryAfter",
    ),
    400: problemAnswer(
      "A parameter that does not exist or has no such value; `errors` says what is allowed.",
    ),
    ...notAcceptable,
    ...anyPathAnswers,
  };
}

/** Answers from the market, live or as of a moment of the past. */
export function marketAnswers<Schema extends z.ZodType>(description: string, schema: Schema) {
  return {
    ...dataAnswers(description, schema),
    429: problemAnswer(
      "Too many moments of the past are asked for at once; see `Retry-After`.",
      "RetryAfter",
    ),
    503: problemAnswer(
      "Nothing is indexed yet, the past cannot be told yet or just now, or the database does not answer; see `Retry-After`.",
      "RetryAfter",
    ),
  };
}

/** Answers with what is true only now, whatever is asked. */
export function nowAnswers<Schema extends z.ZodType>(description: string, schema: Schema) {
  return {
    200: {
      description,
      headers: headersOf("RequestId", "CacheNever", "Vary"),
      content: { "application/json": { schema } },
    },
    ...anyPathAnswers,
  };
}

type Content = Record<
  string,
  { schema: z.ZodType | { type: "string"; description?: string }; example?: unknown }
>;

/** Answers with what changes only with the service itself; `more` are headers beside those of every such file. */
export function fileAnswers(description: string, content: Content, ...more: readonly HeaderComponent[]) {
  const headers = headersOf(...FILE_HEADERS, ...more);
  return {
    200: { description, headers, content },
    304: { description: NOT_MODIFIED, headers },
    ...anyPathAnswers,
  };
}

/** The same answers, where the 200 may say where the next page is. */
export function inPages<Answers extends { 200: { headers: object } }>(answers: Answers) {
  const headers = { ...answers[200].headers, ...headersOf("NextPage") };
  return { ...answers, 200: { ...answers[200], headers } };
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

/** The answers of a `.csv` path, beside those of the path that it is the file of. */
export function csvAnswers<Answers extends { 200: { headers: object }; 406: object }>(
  description: string,
  answers: Answers,
) {
  const { 406: _, ...others } = answers;
  const headers = { ...answers[200].headers, ...headersOf("Attachment") };
  return { ...others, 200: { description, headers, content: csvContent } };
}
