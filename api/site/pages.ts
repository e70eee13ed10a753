/** @module The table of pages, with their entries in navigation, sitemap, llms.txt and OpenAPI. http.md, "Pages". */
import { markdownPath } from "../http/links.ts";
import { boardPage } from "./board/index.ts";
import { boardParameters } from "./board/query.ts";
import { comparePage } from "./chosen/compare.ts";
import { watchedPage } from "./chosen/watched.ts";
import { dataPage } from "./data/page.ts";
import { CLIENT_PATH } from "./developers/client-package.ts";
import { limitsPage } from "./developers/limits.ts";
import { developersPage } from "./developers/page.ts";
import { graphqlPage } from "./graphql/page.ts";
import { knowledgeIndexPage, knowledgePage } from "./knowledge/page.ts";
import { listingPage } from "./listing/index.ts";
import { originatorsPage, SORT_ABOUT } from "./originators/list.ts";
import { originatorPage } from "./originators/page.ts";
import type { Crumb, Page, PageResult } from "./page.ts";
import { SITE_PATHS } from "./paths.ts";
import { auditBadgeOf } from "./proof.ts";
import { referencePage, referencePartPage, referencePaths } from "./reference/page.ts";
import type { SitePage } from "./site-page.ts";
import { statisticsPage } from "./statistics/page.ts";
import { systemPage } from "./system/index.ts";

export const PAGES: readonly SitePage[] = [
  {
    path: SITE_PATHS.board,
    entry: {
      title: "Raises",
      note: "one at `/listings/{publicId}.md`",
      isMain: true,
    },
    operationId: "getBoard",
    summary: "The board",
    hasFiles: true,
    description:
      "Every visible raise, the totals of the book, the secondary desk, and links to the same data for programs.",
    freshness: "market",
    query: boardParameters(),
    refusal: "A parameter has no such value; the page says which are allowed.",
    redirects: "The same view without empty or repeated parameters.",
    make: ({ publicSettings, brand, toolServer, audit }, request) =>
      boardPage(request, {
        ...publicSettings,
        siteName: brand.name,
        logo: brand.logo.path,
        toolServer,
        proof: auditBadgeOf(audit.state()),
      }),
    list: ({ marketAt }) => [{ path: SITE_PATHS.board, updated: marketAt }],
  },
  {
    path: `${SITE_PATHS.listings}/:id`,
    isShared: true,
    operationId: "getListingPage",
    summary: "A raise",
    hasFiles: true,
    description: "Everything about a raise: progress, terms, grade, schedule, desk, history.",
    freshness: "market",
    id: { description: "Public id or reference number of a visible raise.", example: "lst_bakery" },
    query: {
      events: "A group of events, as the history's links name them.",
      before: "Cursor of the history: events older than it.",
      amount: "Dollars to estimate the outcomes of: a decimal above 0, such as 1000 (the default) or 250.50.",
    },
    refusal:
      "The history has no such group of events, the cursor does not belong to it, or the amount is invalid; the page says which.",
    redirects: "The raise has this reference number; its address is that of its public id.",
    make: listingPage,
    // In files of their own (`listed.ts`), like the businesses.
    list: () => [],
  },
  {
    path: SITE_PATHS.originators,
    entry: {
      title: "Businesses",
      note: "one at `/originators/{publicId}.md`",
      isMain: true,
    },
    isShared: true,
    operationId: "getOriginatorsPage",
    summary: "The businesses",
    description: "Each business with its grade and what it has raised.",
    freshness: "market",
    query: {
      sort: SORT_ABOUT,
      page: "Number of the page, from 1.",
    },
    refusal: "There is no such order or page of the list.",
    make: (_, request) => originatorsPage(request),
    list: ({ marketAt }) => [{ path: SITE_PATHS.originators, updated: marketAt }],
  },
  {
    path: `${SITE_PATHS.originators}/:publicId`,
    isShared: true,
    operationId: "getOriginatorPage",
    summary: "A business",
    hasFiles: true,
    description: "A business, what its grade was computed from, and its raises.",
    freshness: "market",
    id: { description: "Public id of a visible business.", example: "org_northwind" },
    query: { page: "Number of the page of its raises, from 1." },
    refusal: "There is no such page of its raises.",
    make: (_, request, id) => originatorPage(request, id),
    list: () => [],
  },
  {
    path: SITE_PATHS.statistics,
    entry: { title: "Statistics", note: "the market over time", isMain: true },
    operationId: "getStatisticsPage",
    summary: "The market over time",
    description: "Flows, what is owed, and what became of loans by time, grade, business and country.",
    freshness: "market",
    query: {
      by: "Length of the periods: `month` (the default) or `quarter`.",
      asOf: "The market as it stood: a block number, or a time or date in ISO 8601.",
    },
    refusal: "There is no such period or moment; the page says which there are.",
    make: ({ history }, request) => statisticsPage(request, history),
    list: ({ marketAt }) => [{ path: SITE_PATHS.statistics, updated: marketAt }],
  },
  {
    path: SITE_PATHS.compare,
    operationId: "getComparePage",
    summary: "Raises side by side",
    description: "Up to four raises: terms, progress, risk and the record of each business.",
    freshness: "market",
    query: { ids: "Public ids or reference numbers, with commas between them; up to four raises." },
    refusal: "There is no such raise, or there are more than four; the page says which.",
    make: (_, request) => comparePage(request),
    list: () => [],
  },
  {
    path: SITE_PATHS.watched,
    entry: { title: "Watched", note: "a list that a browser keeps", isMain: true, isForPeople: true },
    operationId: "getWatchedPage",
    summary: "A watch list",
    description: "The raises of a list, which a browser keeps: this address is all that is sent of it.",
    freshness: "market",
    query: { ids: "Public ids or reference numbers, with commas between them; up to 50 raises." },
    make: ({ publicSettings }, request) => watchedPage(request, publicSettings.publicUrl),
    list: () => [],
  },
  {
    path: SITE_PATHS.knowledge,
    entry: { title: "Knowledge", note: "the pages below, and a search", isMain: true },
    operationId: "getKnowledgeIndex",
    summary: "The knowledge base",
    description: "The pages that explain the market; with `q`, the search results.",
    // A search can find raises.
    freshness: "market",
    query: { q: "A question in words." },
    make: (deps, request) => result(knowledgeIndexPage(deps, request)),
    list: ({ knowledgeAt }) => [{ path: SITE_PATHS.knowledge, updated: knowledgeAt }],
  },
  {
    path: `${SITE_PATHS.knowledge}/:slug`,
    operationId: "getKnowledgePage",
    summary: "A page of the knowledge base",
    description: "One page, as the operator wrote it.",
    freshness: "service",
    id: { description: "The page, as the index of the knowledge base names it.", example: "grades" },
    make: ({ knowledge }, _, slug) => knowledgePage(knowledge, slug),
    list: ({ knowledge }) =>
      knowledge.pages.map(({ slug, updated }) => ({ path: `${SITE_PATHS.knowledge}/${slug}`, updated })),
  },
  {
    path: SITE_PATHS.developers,
    entry: {
      title: "Developers",
      note: "requests to paste, real responses",
      isMain: true,
    },
    operationId: "getDevelopersPage",
    summary: "For developers",
    description: "Each interface and operation, with requests to paste and real responses.",
    freshness: "service",
    make: (deps) => result(developersPage(deps)),
    list: ({ knowledgeAt }) => [{ path: SITE_PATHS.developers, updated: knowledgeAt }],
  },
  {
    path: SITE_PATHS.limits,
    entry: { title: "Limits and errors", note: "of all interfaces" },
    operationId: "getLimitsPage",
    summary: "Limits and errors",
    description: "Every limit of a request, how long a response may be kept, and every error.",
    freshness: "service",
    make: (deps) => result(limitsPage(deps)),
    list: ({ knowledgeAt }) => [{ path: SITE_PATHS.limits, updated: knowledgeAt }],
  },
  {
    path: SITE_PATHS.data,
    entry: { title: "Open data", note: "Parquet files and SQL" },
    operationId: "getDataPage",
    summary: "The open data",
    description: "Parquet files of everything final, how to query them, and what each column means.",
    freshness: "market",
    make: dataPage,
    list: ({ knowledgeAt }) => [{ path: SITE_PATHS.data, updated: knowledgeAt }],
  },
  {
    path: SITE_PATHS.reference,
    entry: { title: "API reference", note: "every operation" },
    operationId: "getReferencePage",
    summary: "The API reference",
    description: "The operations of this description by group, and the headers of responses.",
    freshness: "service",
    make: (deps) => result(referencePage(deps)),
    list: ({ knowledgeAt }) => [{ path: SITE_PATHS.reference, updated: knowledgeAt }],
  },
  {
    path: `${SITE_PATHS.reference}/:group`,
    operationId: "getReferencePartPage",
    summary: "A part of the API reference",
    description: "The operations of a group, with parameters, responses, fields and recorded examples.",
    freshness: "service",
    id: { description: "A group, as the reference names it in its links.", example: "listings" },
    make: (deps, _, group) => referencePartPage(deps, group),
    list: ({ knowledgeAt, ...published }) =>
      referencePaths(published).map((path) => ({ path, updated: knowledgeAt })),
  },
  {
    path: SITE_PATHS.graphql,
    entry: { title: "GraphQL", note: "a query to try" },
    operationId: "getGraphqlPage",
    summary: "GraphQL",
    description:
      "A query to change and send, with its response; for programs, the addresses of endpoint and schema.",
    freshness: "now",
    query: {
      query: "A query in GraphQL.",
      variables: "Its variables, as an object of JSON.",
      operationName: "Name of the operation to run, if the query has several.",
    },
    refusal: "The query cannot be answered; the page says why.",
    make: graphqlPage,
    list: ({ knowledgeAt }) => [{ path: SITE_PATHS.graphql, updated: knowledgeAt }],
  },
  {
    path: SITE_PATHS.system,
    entry: { title: "System", note: "how the service is doing", isMain: true },
    operationId: "getSystemPage",
    summary: "How the service is doing",
    description: "Indexed block, lag, registry, anomalies and the last audit, in words.",
    freshness: "now",
    make: (deps) => result(systemPage(deps)),
    list: ({ marketAt }) => [{ path: SITE_PATHS.system, updated: marketAt }],
  },
];

function result(page: Page): PageResult {
  return { kind: "page", page };
}

/** The paths of a page, as Hono patterns. The pattern of an id also matches the id with `.md`. */
export function addressesOf({ path, id }: SitePage): readonly string[] {
  return [path, markdownPath(path), ...(id === undefined ? [markdownFile(path)] : [])];
}

function markdownFile(path: string): string {
  return path === SITE_PATHS.board ? "/index.md" : `${path}.md`;
}

export const NAVIGATION: readonly Crumb[] = PAGES.flatMap(({ path, entry }) =>
  entry?.isMain ? [{ title: entry.title, path }] : [],
);

/** The entry pages in Markdown, and the client, for llms.txt. */
export const MARKDOWN_INDEX = [
  ...PAGES.flatMap(({ path, entry }) =>
    entry === undefined || entry.isForPeople
      ? []
      : [{ title: entry.title, note: entry.note, path: markdownFile(path) }],
  ),
  { title: "TypeScript client", note: "for `npm install`", path: CLIENT_PATH },
];
