/**
 * The pages of the site as OpenAPI describes them: each is HTML for a person and Markdown for a program, by what the
 * client accepts. A page whose path is also one of the read interface stands in the description at its Markdown address:
 * there a path can be described once only. http.md, "Pages".
 * @module
 */
import { type RouteConfig, z } from "@hono/zod-openapi";
import { anyPathAnswers, notAcceptable } from "../http/described-answers.ts";
import { type HeaderComponent, headersOf, ifNoneMatch } from "../http/described-headers.ts";
import { PROBLEM_TYPE, problemSchema } from "../http/problem.ts";

type Freshness = "market" | "service" | "now";

type PageDescription = {
  path: string;
  operationId: string;
  summary: string;
  description: string;
  freshness: Freshness;
  /** a part of the path */
  id?: { description: string; example: string };
  /** parameters of the query that change the page */
  query?: Readonly<Record<string, string>>;
  /** why its query can be refused; not given where it cannot be */
  refused?: string;
  /** whether a raise may be asked for by its reference number too */
  moves?: boolean;
};

const PAGES: readonly PageDescription[] = [
  {
    path: "/",
    operationId: "getBoard",
    summary: "The board",
    description:
      "Every visible raise, the totals of the book, the secondary desk, and where programs read the same.",
    freshness: "market",
    query: {
      q: "Words of a title, a business's name, a reference number.",
      status: "One or more states, comma separated.",
      grade: "One or more grades, comma separated.",
      minCouponBps: "Least coupon, basis points a year.",
      originator: "Public id of a business.",
      sort: "Order, as of `/listings`.",
      cursor: "Where the page before ended.",
    },
    refused: "A parameter has no such value; the page says which are allowed.",
  },
  {
    path: "/md/listings/{id}",
    operationId: "getListingPage",
    summary: "A raise",
    description: "All that is known of a raise: progress, terms, grade, schedule, desk, history.",
    freshness: "market",
    id: { description: "Public id or reference number of a visible raise.", example: "lst_bakery" },
    query: { before: "Cursor of the history: events older than it." },
    refused: "The cursor is none of this history.",
    moves: true,
  },
  {
    path: "/md/originators",
    operationId: "getOriginatorsPage",
    summary: "The businesses",
    description: "Each business with its grade and what it has raised.",
    freshness: "market",
    query: { page: "Number of the page, from 1." },
    refused: "There is no such page of the list.",
  },
  {
    path: "/md/originators/{publicId}",
    operationId: "getOriginatorPage",
    summary: "A business",
    description: "A business, what its grade was computed from, and its raises.",
    freshness: "market",
    id: { description: "Public id of a visible business.", example: "org_northwind" },
    query: { page: "Number of the page of its raises, from 1." },
    refused: "There is no such page of its raises.",
  },
  {
    path: "/knowledge",
    operationId: "getKnowledgeIndex",
    summary: "The knowledge base",
    description: "The pages that explain the market; with `q` what they say to a question.",
    freshness: "market",
    query: { q: "A question in words." },
  },
  {
    path: "/knowledge/{slug}",
    operationId: "getKnowledgePage",
    summary: "A page of the knowledge base",
    description: "One page, as the operator wrote it.",
    freshness: "service",
    id: { description: "The page, as the index of the knowledge base names it.", example: "grades" },
  },
  {
    path: "/developers",
    operationId: "getDevelopersPage",
    summary: "For developers",
    description: "Where each interface is, with something to paste.",
    freshness: "service",
  },
  {
    path: "/developers/reference",
    operationId: "getReferencePage",
    summary: "The API reference",
    description: "This description, to read and to try in a browser; where it is, for a program.",
    freshness: "service",
  },
  {
    path: "/md/graphql",
    operationId: "getGraphqlPage",
    summary: "The console for GraphQL",
    description: "A console to write queries in; where the endpoint and the schema are, for a program.",
    freshness: "service",
  },
  {
    path: "/system",
    operationId: "getSystemPage",
    summary: "How the service is doing",
    description: "Indexed block, lag, registry, anomalies and the last audit, in words.",
    freshness: "now",
  },
];

const CACHE: Record<Freshness, HeaderComponent> = {
  market: "CacheMoment",
  service: "CacheMinute",
  now: "CacheNever",
};
const OF_A_PAGE: readonly HeaderComponent[] = ["RequestId", "ETag", "Vary", "PageLinks", "MarkdownTokens"];
const AS_OF: readonly HeaderComponent[] = ["IndexedBlockSometimes", "IndexedAtSometimes"];
const FORMS = {
  "text/html": { schema: { type: "string" as const } },
  "text/markdown": { schema: { type: "string" as const } },
};

/** The operations of the pages, at the root of the site. */
export function pageRoutes(publicUrl: string): RouteConfig[] {
  const pages = PAGES.map((page): RouteConfig => {
    const { path, operationId, summary, description, id, query = {} } = page;
    return {
      method: "get",
      path,
      operationId,
      summary,
      description: `${description} ${formsOf(path)}`,
      tags: ["Pages"],
      servers: [{ url: publicUrl, description: "Site root" }],
      request: {
        headers: ifNoneMatch,
        ...(id === undefined ? {} : { params: z.object({ [nameIn(path)]: pathParameter(path, id) }) }),
        query: z.object(mapValues(query, (about) => z.string().optional().openapi({ description: about }))),
      },
      responses: answersOf(page),
    };
  });
  return [...pages, badge(publicUrl)];
}

function badge(publicUrl: string): RouteConfig {
  const headers = headersOf("RequestId", "ETag", "Vary", "CacheAsking");
  return {
    method: "get",
    path: "/system/badge.svg",
    operationId: "getBadge",
    summary: "The state of the service as a badge",
    description: "A picture for another page: the name of the site, and one word.",
    tags: ["Pages"],
    servers: [{ url: publicUrl, description: "Site root" }],
    request: { headers: ifNoneMatch },
    responses: {
      200: { description: "The badge.", headers, content: { "image/svg+xml": FORMS["text/html"] } },
      304: { description: "Not modified: the `If-None-Match` tag is current.", headers },
      ...anyPathAnswers,
    },
  };
}

function isMarkdownAlone(path: string): boolean {
  return path.startsWith("/md/");
}

function formsOf(path: string): string {
  if (isMarkdownAlone(path)) {
    const page = path.slice("/md".length);
    return `Markdown; the page itself is at \`${page}\` below the site root, HTML or Markdown by \`Accept\`.`;
  }
  const twin = path === "/" ? "/md/index" : `/md${path}`;
  return `HTML, or Markdown for who prefers \`text/markdown\`. Always Markdown at \`${twin}\`.`;
}

function nameIn(path: string): string {
  return /\{(\w+)\}/.exec(path)?.[1] ?? "id";
}

function pathParameter(path: string, { description, example }: { description: string; example: string }) {
  return z.string().openapi({ param: { name: nameIn(path), in: "path" }, description, example });
}

function mapValues<Value, Result>(record: Readonly<Record<string, Value>>, map: (value: Value) => Result) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

function answersOf({ path, freshness, id, refused, moves }: PageDescription): RouteConfig["responses"] {
  const asOf = freshness === "market" ? AS_OF : [];
  const isTwin = isMarkdownAlone(path);
  const content = isTwin ? { "text/markdown": FORMS["text/markdown"] } : FORMS;
  const own: readonly HeaderComponent[] = isTwin ? ["Robots"] : [];
  const components = [...OF_A_PAGE, CACHE[freshness], ...asOf, ...own];
  const headers = headersOf(...components);
  const error = (description: string, ...more: readonly HeaderComponent[]) => ({
    description,
    headers: headersOf(...OF_A_PAGE, "CacheNever", "Robots", ...more),
    content,
  });
  return {
    200: { description: "The page.", headers, content },
    304: { description: "Not modified: the `If-None-Match` tag is current.", headers },
    ...(moves ? { 302: moved } : {}),
    ...(refused === undefined ? {} : { 400: { description: refused, headers, content } }),
    ...(id === undefined ? {} : { 404: isTwin ? error("There is no such page.") : missing }),
    ...(isTwin ? {} : notAcceptable),
    414: anyPathAnswers[414],
    500: error("The page could not be made."),
    ...(freshness === "market" && path !== "/knowledge"
      ? { 503: error("Nothing is indexed yet; see `Retry-After`.", "RetryAfter") }
      : {}),
  };
}

const moved = {
  description: "The raise has this reference number; its page is elsewhere.",
  headers: headersOf("RequestId", "Location", "Vary", "CacheMoment"),
};

/** A program that accepts neither form of a page gets a problem. */
const missing = {
  description: "There is no such page, said in the form that the client takes.",
  headers: headersOf(
    "RequestId",
    "ETagSometimes",
    "Vary",
    "PageLinksSometimes",
    "MarkdownTokens",
    "CacheNever",
    "RobotsSometimes",
  ),
  content: { ...FORMS, [PROBLEM_TYPE]: { schema: problemSchema } },
};
