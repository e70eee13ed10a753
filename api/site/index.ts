/**
 * The public site. A path selects a page from the table (`pages.ts`), which is built from the market, written as HTML
 * or Markdown (`html/`, `markdown/`), cached with the market, and sent (`answers.ts`). http.md, "Pages"; interface
 * document, "Discovery and agent-facing files", rules 1 and 2.
 * @module
 */
import { type Context, Hono } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import { VARY } from "../http/common-headers.ts";
import { markdownPath, PATHS } from "../http/links.ts";
import { methodNotAllowed } from "../http/problem.ts";
import { createAnswers } from "./answers.ts";
import { createSiteAssets } from "./assets.ts";
import { addBadge } from "./badge.ts";
import { createBrandAssets } from "./brand/assets.ts";
import { createPictureFiles } from "./covers/pictures.ts";
import { addDataFiles } from "./data/files.ts";
import type { SiteDependencies } from "./dependencies.ts";
import { addClientPackage } from "./developers/client-package.ts";
import { addEmbed } from "./embed/routes.ts";
import { addFollow } from "./follow/routes.ts";
import { listGroups } from "./listed.ts";
import { keepBids, keepSeries } from "./listing/series.ts";
import { addressesOf, PAGES } from "./pages.ts";
import { SITE_PATHS } from "./paths.ts";
import { addPictures } from "./picture/routes.ts";
import type { ListedGroup } from "./site-page.ts";

const MARKDOWN_BOARD = markdownPath(SITE_PATHS.board);
/** Addresses that people shorten by hand, with their targets. */
const SHORTENED: ReadonlyMap<string, string> = new Map([
  [SITE_PATHS.listings, SITE_PATHS.board],
  [`${SITE_PATHS.listings}.md`, MARKDOWN_BOARD],
  [markdownPath(SITE_PATHS.listings), MARKDOWN_BOARD],
  ["/md", MARKDOWN_BOARD],
  // Its query is the board's.
  ["/search", SITE_PATHS.board],
  // An endpoint for programs: those who want a page are led to it, with the query.
  [PATHS.graphql, SITE_PATHS.graphql],
  [`${PATHS.graphql}.md`, markdownPath(SITE_PATHS.graphql)],
  [markdownPath(PATHS.graphql), markdownPath(SITE_PATHS.graphql)],
]);
/** A path of the read interface that people also write with a trailing slash, like that of GraphQL. */
const BASE_URL = "/v1";

export type SiteApp = {
  /** to be mounted at the root; unknown paths fall through */
  routes: Hono;
  missing(c: Context): Promise<Response>;
  /** answers a request with a method that read-only paths do not take; browsers get a page */
  notAllowed(c: Context): Promise<Response>;
  /** the canonical pages, null before the first block; `version` is the same object as long as they are the same */
  pagesNow(): { version: object; groups(): readonly ListedGroup[] } | null;
};

export function createSite(deps: SiteDependencies): SiteApp {
  const assets = createSiteAssets(deps.brand);
  const answers = createAnswers({ ...deps, series: keepSeries(), bids: keepBids() }, assets);
  const routes = new Hono();
  addRedirects(routes);
  routes.route("/", assets.routes);
  routes.route("/", createBrandAssets(deps));
  routes.route("/", createPictureFiles(deps));
  addBadge(routes, deps);
  addClientPackage(routes);
  addEmbed(routes, deps, assets);
  addDataFiles(routes, deps);
  addFollow(routes, deps);
  addPictures(routes, deps);
  for (const page of PAGES) {
    for (const address of addressesOf(page)) {
      routes.get(address, (c) => answers.page(c, page));
      routes.all(address, methodNotAllowed);
    }
  }
  routes.get("/md/*", (c) => answers.missing(c));
  routes.all("/md/*", methodNotAllowed);
  return { routes, missing: answers.missing, notAllowed: answers.notAllowed, pagesNow: () => pagesNow(deps) };
}

function addRedirects(routes: Hono): void {
  const known = new TrieRouter<true>();
  for (const address of [BASE_URL, PATHS.graphql, ...PAGES.flatMap(addressesOf)])
    known.add("GET", address, true);
  routes.use(async (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    const trimmed = pathname.replace(/(?<=[^/])\/+$/, "");
    const isPage = trimmed !== pathname && known.match("GET", trimmed)[0].length > 0;
    const target = isPage ? trimmed : (SHORTENED.get(trimmed) ?? null);
    if (target === null) return next();
    if (c.req.method !== "GET" && c.req.method !== "HEAD") return methodNotAllowed(c);
    c.header("Cache-Control", "public, max-age=60");
    c.header("Vary", VARY.Vary);
    return c.redirect(target + search, 308);
  });
}

/** The pages change only with the raises. */
function pagesNow({ updater, ...deps }: Pick<SiteDependencies, "updater" | "knowledge" | "description">) {
  const snapshot = updater.current();
  return snapshot && { version: snapshot.market.listings, groups: () => listGroups(deps, snapshot) };
}
