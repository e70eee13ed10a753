/**
 * The consoles: pages on which another's program draws what there is and sends requests to this service, and nothing to
 * anybody else. http.md, "Pages".
 * @module
 */
import { Hono } from "hono";
import type { SiteDependencies } from "../dependencies.ts";
import type { Page } from "../page.ts";
import { SITE_PATHS } from "../paths.ts";
import { type ConsoleAssets, createConsoleAssets } from "./assets.ts";
import { graphiqlFiles, graphiqlPage } from "./graphiql.ts";
import { referenceFiles, referencePage } from "./reference.ts";

/** A page as it is without its console. */
export type ConsolePage = Omit<Page, "updated" | "crumbs" | "isLive" | "console"> & {
  console: { id: string; label: string };
};

export type Consoles = {
  /** the page at a path; null where there is no console */
  pageAt(path: string): (() => Promise<Page>) | null;
  /** the files of all, to be mounted at the root */
  routes: Hono;
};

export function createConsoles({
  site,
  knowledge,
  queryLimits,
}: Pick<SiteDependencies, "site" | "knowledge" | "queryLimits">): Consoles {
  const updated = knowledge.pages.map((page) => page.updated).reduce((a, b) => (a > b ? a : b), "1970-01-01");
  const pages = new Map<string, () => Promise<Page>>();
  const routes = new Hono();
  const add = ({ console, ...page }: ConsolePage, assets: ConsoleAssets) => {
    const crumbs = [
      { title: "Raises", path: SITE_PATHS.board },
      { title: "For developers", path: SITE_PATHS.developers },
    ];
    pages.set(page.path, async () => ({
      ...page,
      updated,
      crumbs,
      isLive: false,
      console: { ...console, ...(await assets.paths()) },
    }));
    routes.route(page.path, assets.routes);
  };
  add(referencePage(site.publicUrl), createConsoleAssets(SITE_PATHS.reference, referenceFiles));
  add(graphiqlPage(site.publicUrl, queryLimits), createConsoleAssets(SITE_PATHS.graphql, graphiqlFiles));
  return { pageAt: (path) => pages.get(path) ?? null, routes };
}
