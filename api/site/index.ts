/**
 * The public site: one address for each page, in the form that its reader takes. http.md, "Pages"; interface document,
 * "Discovery and agent-facing files", rules 1 and 2.
 *
 * A request goes one way: its address names a page (`paths.ts`), the page is made from the market (`pages.ts`), written
 * in one form (`html/`, `markdown/`), kept with the market, and sent (`answers.ts`).
 * @module
 */
import { type Context, Hono } from "hono";
import { methodNotAllowed } from "../http/problem.ts";
import { createAnswers } from "./answers.ts";
import { createSiteAssets } from "./assets.ts";
import { addBadge } from "./badge.ts";
import { createBrandAssets } from "./brand/assets.ts";
import { createConsoles } from "./consoles/index.ts";
import type { SiteDependencies } from "./dependencies.ts";
import { keepSeries } from "./listing/series.ts";
import { type ListedPage, sitePages, sourceOf } from "./pages.ts";
import { addressOf, meantBy } from "./paths.ts";

/** Every form of every page. `/listings/:id` has that of the id with `.md` behind it too. */
const ROUTES = [
  "/",
  "/index.md",
  "/listings/:id",
  "/originators",
  "/originators.md",
  "/originators/:id",
  "/knowledge",
  "/knowledge.md",
  "/knowledge/:slug",
  "/developers",
  "/developers.md",
  "/developers/reference",
  "/developers/reference.md",
  "/graphql",
  "/graphql.md",
  "/system",
  "/system.md",
  "/md/*",
];

/** Of the read interface: people write a slash behind it too. */
const BASE_URL = "/v1";

function moved(c: Context, to: string): Response {
  c.header("Cache-Control", "public, max-age=60");
  c.header("Vary", "Accept, Accept-Encoding");
  return c.redirect(to, 308);
}

export type SiteApp = {
  /** to be mounted at the root; what it does not know it leaves to others */
  routes: Hono;
  /** the answer to a path that nobody knows */
  missing(c: Context): Promise<Response>;
  /** the canonical pages, and what they were listed from: the same object for as long as they are the same */
  pagesNow(): { version: object; pages(): readonly ListedPage[] };
};

export function createSite(deps: SiteDependencies): SiteApp {
  const { brand } = deps;
  const assets = createSiteAssets(brand);
  const consoles = createConsoles(deps);
  const pages = { ...deps, consoles, series: keepSeries(deps.ledger), logoPath: brand.logo.path };
  const answers = createAnswers(pages, assets);
  const routes = new Hono();
  routes.use(async (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    const to = meantBy(pathname);
    const isKnown = to === BASE_URL || (to !== null && sourceOf(pages, addressOf(to).path) !== null);
    if (to === null || !isKnown) return next();
    const isRead = c.req.method === "GET" || c.req.method === "HEAD";
    return isRead ? moved(c, to + search) : methodNotAllowed(c);
  });
  routes.route("/", assets.routes);
  routes.route("/", createBrandAssets(deps));
  routes.route("/", consoles.routes);
  addBadge(routes, deps);
  for (const path of ROUTES) {
    routes.get(path, answers.page);
    routes.all(path, methodNotAllowed);
  }
  return { routes, missing: answers.missing, pagesNow: () => pagesNow(deps) };
}

/** The list of pages changes with the market at most. */
function pagesNow({ feed, knowledge }: Pick<SiteDependencies, "feed" | "knowledge">) {
  const snapshot = feed.current();
  return { version: snapshot ?? knowledge, pages: () => sitePages(knowledge, snapshot?.market ?? null) };
}
