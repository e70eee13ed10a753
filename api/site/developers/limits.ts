/** @module Every limit and every error of the interfaces, in one place. Tests exceed each limit by one. */
import { MAX_QUEUE } from "../../history/as-of.ts";
import { PATHS } from "../../http/links.ts";
import { PROBLEMS, QUEUED_REQUESTS } from "../../http/problem.ts";
import { SERVER_LIMITS } from "../../http/server.ts";
import { SLOTS } from "../../http/slots.ts";
import { LONGEST_PAGE } from "../../market/query-field.ts";
import { links, linkTo, paragraph, section, snippet, table } from "../blocks.ts";
import type { QueryLimits, SiteDependencies } from "../dependencies.ts";
import type { Block, Page } from "../page.ts";
import { CRUMBS, SITE_PATHS } from "../paths.ts";
import { knowledgeUpdated } from "../times.ts";
import { code, count, text, type Value } from "../value.ts";
import { errorSnippet } from "./snippets.ts";

type Limit = readonly [key: string, label: string, most: Value, note: string];

export function limitsPage({
  publicSettings: { publicUrl, rateLimit, maxStreams },
  knowledge,
  queryLimits,
}: Pick<SiteDependencies, "publicSettings" | "knowledge" | "queryLimits">): Page {
  return {
    path: SITE_PATHS.limits,
    title: "Limits and errors",
    description: "Request limits, caching and every error, with what to do about it.",
    updated: knowledgeUpdated(knowledge),
    crumbs: [CRUMBS.board, CRUMBS.developers],
    sections: [
      section("requests", "Requests", [
        paragraph(
          `${rateLimit === null ? "No client is rate limited." : RATE} Please be reasonable, and identify your client with a User-Agent.`,
        ),
        limitsTable("Limits of a request", [requestsOf(rateLimit), ...REQUESTS, ...connections(maxStreams)]),
      ]),
      section("graphql", "GraphQL", [limitsTable("Limits of a query", graphqlLimits(queryLimits))]),
      section("caching", "Caching", [
        limitsTable("How long a response may be cached", CACHING),
        paragraph(
          "Every cacheable response has an ETag, but long lists of a large market may lack it: request them in pages. Afterwards a 304 means that it is unchanged.",
        ),
      ]),
      {
        ...section("errors", "Errors", [
          paragraph(
            "Errors are application/problem+json (RFC 9457): code is for programs, detail says what was wrong with the request, requestId is the one of X-Request-Id. Tools answer invalid arguments with a sentence of advice, GraphQL lists errors next to its data.",
          ),
          errorsTable(),
          snippet(errorSnippet(publicUrl)),
          links([
            linkTo("For developers", SITE_PATHS.developers, "the operations and their responses"),
            linkTo("OpenAPI 3.1", PATHS.openApi, "which operation answers with which error"),
          ]),
        ]),
        fold: "Every error with what to do",
      },
    ],
    hasContents: true,
    isLive: false,
  };
}

const RATE =
  "A client is an IPv4 address or the /64 network of an IPv6 address. Every response says how many requests are left (RateLimit: r) and in how many seconds the limit resets (t). /v1/ready and preflights are not counted.";

function requestsOf(rateLimit: number | null): Limit {
  if (rateLimit === null)
    return ["rate", "Requests", text("no limit"), "Except for expensive requests (below)."];
  const note = "All at once or spread out; more get too_many_requests, with Retry-After.";
  return ["rate", "Requests of a client", count(rateLimit, "a minute"), note];
}

const REQUESTS: readonly Limit[] = [
  [
    "past",
    "Historical requests (asOf)",
    count(MAX_QUEUE, "at a time"),
    "For all clients together; more get too_many_requests.",
  ],
  [
    "expensive",
    `Expensive requests: ${QUEUED_REQUESTS}`,
    count(SLOTS.atOnce, "at a time"),
    `For all clients together. Up to ${SLOTS.waiting} more wait for at most ${SLOTS.patience / 1000} seconds; others get too_many_requests.`,
  ],
  ["url", "A URL", count(4096, "characters"), "Longer ones get uri_too_long."],
  [
    "page",
    "A page of raises or events",
    count(LONGEST_PAGE, "rows"),
    "Longer lists have a cursor: page.nextCursor.",
  ],
  ["message", "A message to the tools", count(65_536, "bytes"), "One message in each request, no batches."],
  ["body", "A GraphQL request", count(65_536, "bytes"), "Query and variables together."],
  [
    "headers",
    "Time to send the headers",
    count(SERVER_LIMITS.headersTimeout / 1000, "seconds"),
    "Then the connection is closed.",
  ],
  [
    "sending",
    "Time to send a request",
    count(SERVER_LIMITS.requestTimeout / 1000, "seconds"),
    "Then the connection is closed.",
  ],
  [
    "reading",
    "Time to read a response",
    count(SERVER_LIMITS.readTimeout / 1000, "seconds"),
    `Plus a second for each ${SERVER_LIMITS.slowestPace / 1024} KiB. Then the connection is closed.`,
  ],
  [
    "pipelined",
    "Pipelined requests on a connection",
    count(SERVER_LIMITS.pipelined),
    "Beyond that the connection is closed.",
  ],
];

const connections = (maxStreams: number): readonly Limit[] => [
  [
    "connections",
    "Connections",
    count(SERVER_LIMITS.connections + maxStreams),
    "For all clients together; more are refused.",
  ],
  [
    "streams",
    "Streams of events",
    count(maxStreams, "at a time"),
    "For all clients together; more get busy, with Retry-After.",
  ],
  [
    "idle",
    "An idle connection",
    count(SERVER_LIMITS.keepAliveTimeout / 1000, "seconds"),
    "Then the connection is closed.",
  ],
];

const graphqlLimits = (limits: QueryLimits): readonly Limit[] => [
  ["depth", "Depth", count(limits.depth, "levels"), "Fields within fields."],
  ["aliases", "Aliases", count(limits.aliases), "In the whole query."],
  ["alias", "An alias", count(limits.alias, "characters"), "The response repeats it."],
  [
    "variables",
    "Variables",
    count(limits.variables, "values"),
    `Items of lists too, and at most ${limits.variableLevels} levels of lists and objects.`,
  ],
  ["tokens", "Length", count(limits.tokens, "tokens"), "Words and symbols of the document."],
  [
    "cost",
    "Cost",
    count(limits.cost, "points"),
    `About one for each value in the response; ${limits.costOfEvents} more for a page of events, and ${limits.costOfScope} for a series or cohorts of one business, of grades or of countries.`,
  ],
  [
    "tests",
    "Raises tested by filters",
    count(limits.tests),
    "Each filter counts. A list that begins below the limit is finished.",
  ],
];

const CACHING: readonly Limit[] = [
  ["market", "Market and ledger", count(1, "seconds"), "The next block may change them."],
  ["pages", "Pages that do not change with blocks", count(60, "seconds"), "Such as this one."],
  ["files", "Files and descriptions", count(3600, "seconds"), "They change with a release or a setting."],
  [
    "assets",
    "Files with a version or hash in their path",
    text("for good"),
    "The client, styles and scripts.",
  ],
  [
    "now",
    "Health, tools, errors, GraphQL by POST",
    text("never"),
    "They change constantly. GraphQL over GET is cached like the market, together with the health it contains.",
  ],
];

function limitsTable(caption: string, items: readonly Limit[]): Block {
  return table({
    caption,
    items,
    keyOf: ([key]) => key,
    columns: [
      ["limit", "What", ([, label]) => text(label)],
      ["most", "At most", ([, , most]) => most, "end"],
      ["note", "Note", ([, , , note]) => text(note)],
    ],
    empty: "No limits.",
  });
}

function errorsTable(): Block {
  return table({
    caption: "Errors by their code",
    items: Object.entries(PROBLEMS),
    keyOf: ([name]) => name,
    columns: [
      ["code", "Code", ([name]) => code(name)],
      ["status", "Status", ([, [status]]) => text(String(status)), "end"],
      ["advice", "What to do", ([, [, advice]]) => text(advice)],
    ],
    empty: "No errors.",
  });
}
