/**
 * The pages in OpenAPI. A path can be described only once, so a page that shares its path with another face is
 * described at its Markdown address. http.md, "Pages".
 * @module
 */
import { type RouteConfig, z } from "@hono/zod-openapi";
import { type Answers, keptAnswers, notAcceptable } from "../http/described-answers.ts";
import { type HeaderComponent, headersOf } from "../http/described-headers.ts";
import { markdownPath } from "../http/links.ts";
import { PROBLEM_TYPE, problemSchema } from "../http/problem.ts";
import { BADGE_PATH } from "./badge.ts";
import { DATA_ROUTES } from "./data/files.ts";
import { CLIENT_PATH, CLIENT_TYPE } from "./developers/client-package.ts";
import { EMBED_ROUTE } from "./embed/routes.ts";
import { FOLLOW_ROUTES } from "./follow/routes.ts";
import { PAGES } from "./pages.ts";
import { SITE_PATHS } from "./paths.ts";
import { PICTURE_ROUTES } from "./picture/routes.ts";
import type { Freshness, SitePage } from "./site-page.ts";
import { movedAnswer } from "./subject.ts";

const CACHE: Record<Freshness, HeaderComponent> = {
  market: "CacheMoment",
  service: "CacheMinute",
  now: "CacheNever",
};
const OF_A_PAGE: readonly HeaderComponent[] = ["RequestId", "ETag", "Vary", "PageLinks", "MarkdownTokens"];
const AS_OF: readonly HeaderComponent[] = ["IndexedBlockSometimes", "IndexedAtSometimes", "IndexedEvent"];
const TEXT = { schema: { type: "string" as const } };
const FORMS = { "text/html": TEXT, "text/markdown": TEXT };

/** A program that accepts neither form of a page gets a problem. */
const missing = {
  description: "There is no such page; the error has the form that the client accepts.",
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

const shared = { method: "get" as const, tags: ["Pages"] };

const BADGE: RouteConfig = {
  path: BADGE_PATH,
  operationId: "getBadge",
  summary: "The state of the service as a badge",
  description: "An image for other pages: the site's name and one word for its state.",
  ...shared,
  responses: keptAnswers("The badge.", ["RequestId", "ETag", "Vary", "CacheAsking"], {
    "image/svg+xml": TEXT,
  }),
};

const CLIENT_PACKAGE: RouteConfig = {
  path: CLIENT_PATH,
  operationId: "getClientPackage",
  summary: "The typed client as an npm package",
  description: "To be installed with `npm install` and this address. It needs no registry.",
  method: "get",
  tags: ["Discovery"],
  responses: keptAnswers("The package.", ["RequestId", "ETag", "Vary", "CacheForGood"], {
    [CLIENT_TYPE]: { schema: { type: "string", contentMediaType: CLIENT_TYPE } },
  }),
};

export const PAGE_ROUTES: readonly RouteConfig[] = [
  ...PAGES.map(
    (page): RouteConfig => ({
      path: describedPath(page),
      operationId: page.operationId,
      summary: page.summary,
      description: `${page.description} ${formsOf(page)}`,
      ...shared,
      request: { ...pathParameters(page), query: queryOf(page) },
      responses: answersOf(page),
    }),
  ),
  BADGE,
  CLIENT_PACKAGE,
  EMBED_ROUTE,
  ...DATA_ROUTES,
  ...FOLLOW_ROUTES,
  ...PICTURE_ROUTES,
];

function describedPath({ path, isShared }: SitePage): string {
  const template = path.replace(/:(\w+)/, "{$1}");
  return isShared ? markdownPath(template) : template;
}

function formsOf(page: SitePage): string {
  const path = page.path.replace(/:(\w+)/, "{$1}");
  return page.isShared
    ? `Markdown; the page itself is at \`${path}\` below the site root, HTML or Markdown by \`Accept\`.`
    : `HTML, or Markdown by \`Accept\`. Always Markdown at \`${markdownPath(path)}\`.`;
}

function pathParameters({ path, id }: SitePage) {
  const [, name] = /:(\w+)/.exec(path) ?? [];
  if (id === undefined || name === undefined) return {};
  return { params: z.object({ [name]: z.string().openapi({ param: { name, in: "path" }, ...id }) }) };
}

function queryOf({ query = {} }: SitePage) {
  const parameters = Object.entries(query).map(([name, description]) => [
    name,
    z.string().optional().openapi({ description }),
  ]);
  return z.object(Object.fromEntries(parameters));
}

function answersOf({ path, freshness, id, refusal, redirects, isShared }: SitePage): Answers {
  const content = isShared ? { "text/markdown": TEXT } : FORMS;
  const kept = keptAnswers(
    "The page.",
    [
      ...OF_A_PAGE,
      CACHE[freshness],
      ...(freshness === "market" ? AS_OF : []),
      ...(isShared ? (["Robots"] as const) : []),
    ],
    content,
  );
  const error = (description: string, ...more: readonly HeaderComponent[]) => ({
    description,
    headers: headersOf(...OF_A_PAGE, "CacheNever", "Robots", ...more),
    content,
  });
  return {
    ...kept,
    ...(redirects === undefined ? {} : { 302: { ...movedAnswer, description: redirects } }),
    ...(refusal === undefined ? {} : { 400: { ...kept[200], description: refusal } }),
    ...(id === undefined ? {} : { 404: isShared ? error("There is no such page.") : missing }),
    ...(isShared ? {} : notAcceptable),
    500: error("The page could not be made."),
    ...((freshness === "market" && path !== SITE_PATHS.knowledge) || path === SITE_PATHS.graphql
      ? { 503: error("Nothing is indexed yet; see `Retry-After`.", "RetryAfter") }
      : {}),
  };
}
