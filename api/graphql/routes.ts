/** @module GraphQL as OpenAPI describes it: the envelope only. The schema is in `schema.graphql` and in introspection. */
import { type RouteConfig, z } from "@hono/zod-openapi";
import { anyPathAnswers, keptAnswers, notAcceptable, problemAnswer } from "../http/described-answers.ts";
import { type HeaderComponent, headersOf } from "../http/described-headers.ts";
import { text } from "../market/fields.ts";
import { JSON_TYPES } from "./endpoint.ts";
import { requestParts, requestSchema } from "./request.ts";

const errorSchema = z
  .object({
    message: text("What was wrong."),
    locations: z.array(z.object({ line: z.int(), column: z.int() })).optional(),
    path: z
      .array(z.union([z.string(), z.int()]))
      .optional()
      .openapi({ description: "The field that failed." }),
    extensions: z
      .object({ code: text("The error, for programs.").optional() })
      .catchall(z.unknown())
      .optional(),
  })
  .openapi("GraphqlError");

const responseSchema = z
  .object({
    data: z
      .record(z.string(), z.unknown())
      .nullable()
      .optional()
      .openapi({ description: "What was asked; absent when the query was not run." }),
    errors: z.array(errorSchema).min(1).optional(),
    extensions: z.record(z.string(), z.unknown()).optional(),
  })
  .openapi("GraphqlResponse", { description: "As defined by the GraphQL specification." });

const parameters = z.object({
  query: requestParts.query.optional(),
  operationName: requestParts.operationName.optional(),
  extensions: text("JSON; nothing here reads it, and persisted queries are refused.").optional(),
  variables: z
    .string()
    .optional()
    .openapi({ description: "Values of the query's variables, as JSON.", example: '{"first":1}' }),
});

const CONTENT = Object.fromEntries(JSON_TYPES.map((type) => [type, { schema: responseSchema }]));
/** Absent before the first block is indexed. */
const FRESHNESS = ["IndexedBlockSometimes", "IndexedAtSometimes", "IndexedEvent"] as const;
const FOR_READERS = {
  "text/plain": { schema: { type: "string" as const, description: "How to ask, and the schema." } },
};

function graphqlAnswer(description: string, ...more: readonly HeaderComponent[]) {
  const headers = headersOf("RequestId", "CacheNever", "Vary", ...FRESHNESS, ...more);
  return { description, headers, content: CONTENT };
}

const answers = {
  200: graphqlAnswer(
    "The answer. A field that cannot be answered is null, with an error whose `extensions.code` says why: `BACKFILLING`, for example, until the backfill is over. A client that takes `application/json` alone gets the errors of its query with this status.",
  ),
  400: graphqlAnswer("No query that can be run: wrong syntax, a field that does not exist, or a limit."),
  ...notAcceptable,
  ...anyPathAnswers,
  500: {
    ...anyPathAnswers[500],
    headers: headersOf("RequestId", "CacheNever", "VarySometimes", ...FRESHNESS),
    content: { ...anyPathAnswers[500].content, ...CONTENT },
  },
  503: graphqlAnswer(
    "No part of it can be answered for now, such as before the first block is indexed; see `Retry-After`.",
    "RetryAfter",
  ),
};

/** A cacheable answer to a GET: a query's, or the description. */
const KEPT = [
  "RequestId",
  "ETagSometimes",
  "CacheSometimes",
  "Vary",
  "PageLinksSometimes",
  ...FRESHNESS,
] as const;

export const GRAPHQL_ROUTES: readonly RouteConfig[] = [
  {
    method: "post",
    path: "/graphql",
    operationId: "queryGraphql",
    summary: "Ask the market in GraphQL",
    description:
      "The same facts as the read interface, of the same moment. Depth, aliases, tokens and cost of a query are limited; an error says which limit. Nothing can be written, and nothing belongs to an account.",
    tags: ["GraphQL"],
    request: {
      body: {
        required: true,
        description: "One operation, at most 64 KiB.",
        content: { "application/json": { schema: requestSchema } },
      },
    },
    responses: {
      ...answers,
      413: problemAnswer("The body has more than 64 KiB."),
      415: problemAnswer("The `Content-Type` is not `application/json`."),
    },
  },
  {
    method: "get",
    path: "/graphql",
    operationId: "queryGraphqlByUrl",
    summary: "Ask the market in GraphQL by a URL",
    description:
      "The query is in the URL. A browser (`Accept: text/html`) and clients that prefer `text/markdown` are led to the page that shows the answer; without a query, clients that accept plain text get a description with the schema.",
    tags: ["GraphQL"],
    request: { query: parameters },
    responses: {
      ...answers,
      ...keptAnswers(answers[200].description, KEPT, { ...CONTENT, ...FOR_READERS }),
      308: {
        description: "The page for those who prefer HTML or Markdown, with the query.",
        headers: headersOf("RequestId", "Location", "Vary", "CacheMinute"),
      },
      500: answers[500],
    },
  },
];
