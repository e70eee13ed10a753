/** @module Answers common to routes of several faces, as OpenAPI describes them. */
import type { RouteConfig } from "@hono/zod-openapi";
import { type HeaderComponent, headersOf } from "./described-headers.ts";
import { PROBLEM_TYPE, problemSchema } from "./problem.ts";

export type Answers = RouteConfig["responses"];
type Answer = Exclude<Answers[string], { $ref: string }>;
type Content = NonNullable<Answer["content"]>;

/** An error; `more` are headers beyond those of every error. */
export function problemAnswer(description: string, ...more: readonly HeaderComponent[]): Answer {
  return {
    description,
    headers: headersOf("RequestId", "CacheNever", "Vary", ...more),
    content: { [PROBLEM_TYPE]: { schema: problemSchema } },
  };
}

export const anyPathAnswers = {
  414: problemAnswer("The URL has more than 4,096 characters."),
  429: problemAnswer(
    "More requests than the operator allows a client, or too many expensive questions of all clients at once; see `Retry-After`.",
    "RetryAfter",
    "RateLimitPolicy",
    "RateLimit",
  ),
  500: problemAnswer("Something went wrong in the service."),
};

export const notAcceptable = { 406: problemAnswer("The client accepts none of the offered types.") };

/** A cacheable answer and its 304, with the same headers. */
export function keptAnswers(description: string, components: readonly HeaderComponent[], content: Content) {
  const headers = headersOf(...components);
  return {
    200: { description, headers, content },
    304: { description: "Not modified: the `If-None-Match` tag is current.", headers },
    ...anyPathAnswers,
  };
}

/** Answers that change only with a release or the configuration; `more` are headers beyond those of every such file. */
export function fileAnswers(description: string, content: Content, ...more: readonly HeaderComponent[]) {
  return keptAnswers(description, ["RequestId", "ETag", "CacheHour", "Vary", ...more], content);
}
