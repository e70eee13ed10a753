/** @module Answers of the REST routes, as OpenAPI describes them. */
import type { z } from "@hono/zod-openapi";
import {
  type Answers,
  anyPathAnswers,
  keptAnswers,
  notAcceptable,
  problemAnswer,
} from "../http/described-answers.ts";
import { headersOf } from "../http/described-headers.ts";

const DATA_HEADERS = [
  "RequestId",
  "ETag",
  "IndexedBlock",
  "IndexedAt",
  "IndexedEvent",
  "CacheMoment",
  "Vary",
] as const;

/** CSV, RFC 4180, with a header row. */
const CSV = {
  "text/csv": {
    schema: {
      type: "string" as const,
      description:
        "RFC 4180 with a header row; a cell that a spreadsheet would execute begins with an apostrophe.",
    },
  },
};

export function dataAnswers(description: string, schema: z.ZodType) {
  return {
    ...keptAnswers(description, DATA_HEADERS, { "application/json": { schema } }),
    ...notAcceptable,
    400: problemAnswer("An unknown parameter, or a value that is not allowed; `errors` says what is."),
    503: problemAnswer(
      "Nothing is indexed yet, or the database does not answer; see `Retry-After`.",
      "RetryAfter",
    ),
  };
}

/** Answers from the market, live or past. */
export function marketAnswers(description: string, schema: z.ZodType) {
  return {
    ...dataAnswers(description, schema),
    503: problemAnswer(
      "Nothing is indexed yet, the past is not available yet or at the moment, or the database does not answer; see `Retry-After`.",
      "RetryAfter",
    ),
  };
}

/** Answers with a list, whole or in pages. One that is streamed, as it is long, has no tag. */
export function listAnswers(description: string, schema: z.ZodType) {
  const answers = inPages(marketAnswers(description, schema));
  const { headers, ...list } = answers[200];
  return { ...answers, 200: { ...list, headers: { ...headers, ...headersOf("ETagSometimes") } } };
}

/** The answers of a path with pages, each with a link to the next one. */
export function inPages(answers: ReturnType<typeof dataAnswers>) {
  const next = headersOf("NextPage");
  const [page, same] = [answers[200], answers[304]];
  return {
    ...answers,
    200: { ...page, headers: { ...page.headers, ...next } },
    304: { ...same, headers: { ...same.headers, ...next } },
  };
}

/** The answers of a CSV file, given those of the path that it mirrors. */
export function csvFile(description: string, answers: ReturnType<typeof dataAnswers>): Answers {
  const { 406: _, ...others } = answers;
  const headers = { ...answers[200].headers, ...headersOf("Attachment") };
  return { ...others, 200: { description, headers, content: CSV } };
}

export function nowAnswers(description: string, schema: z.ZodType): Answers {
  const headers = headersOf("RequestId", "CacheNever", "Vary");
  return {
    200: { description, headers, content: { "application/json": { schema } } },
    ...anyPathAnswers,
  };
}
