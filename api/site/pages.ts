/**
 * Every page of the site: which there are, and which one stands at a path.
 * @module
 */

import type { Knowledge } from "../knowledge/load.ts";
import type { Market } from "../market/project.ts";
import { boardPage } from "./board/index.ts";
import type { Consoles } from "./consoles/index.ts";
import type { SiteDependencies } from "./dependencies.ts";
import { developersPage } from "./developers/page.ts";
import type { Asked, Found } from "./found.ts";
import { knowledgePage, knowledgeSearchPage } from "./knowledge/index.ts";
import { listingPage } from "./listing/index.ts";
import type { SeriesStore } from "./listing/series.ts";
import { originatorPage, originatorsPage } from "./originators/index.ts";
import type { Page } from "./page.ts";
import { SITE_PATHS } from "./paths.ts";
import { systemPage } from "./system/index.ts";

/** How an answer may be kept: with the market, with the service, or not at all. */
type Freshness = "market" | "service" | "now";

export type Source = {
  freshness: Freshness;
  /** the parameters of the query that change the page; others do not count */
  parameters: readonly string[];
  find(asked: Asked): Found | Promise<Found>;
};

export type PageDependencies = SiteDependencies & {
  series: SeriesStore;
  consoles: Pick<Consoles, "pageAt">;
  logoPath: string;
};

const BOARD_PARAMETERS = ["q", "status", "grade", "minCouponBps", "originator", "sort", "cursor"];

/** Who makes the page at a canonical path; null where there is none. A listing's may still turn out to be missing. */
export function sourceOf(deps: PageDependencies, path: string): Source | null {
  const { site, brand, knowledge, search } = deps;
  const found = (page: Page): Found => ({ kind: "page", page });
  const of = (freshness: Freshness, find: Source["find"], parameters: readonly string[] = []): Source => ({
    freshness,
    parameters,
    find,
  });

  const consolePage = deps.consoles.pageAt(path);
  if (consolePage !== null) return of("service", async () => found(await consolePage()));
  const [, folder, id, ...rest] = path.split("/");
  if (rest.length > 0 || id === "") return null;
  if (id !== undefined) {
    const name = decode(id);
    if (name === null) return null;
    if (folder === "listings") return of("market", (asked) => listingPage(deps, asked, name), ["before"]);
    if (folder === "originators") return of("market", (asked) => originatorPage(asked, name), ["page"]);
    if (folder === "knowledge") return of("service", () => knowledgePage(knowledge, name));
    return null;
  }
  switch (path) {
    case SITE_PATHS.board: {
      const identity = { ...site, siteName: brand.name, logo: deps.logoPath, toolServer: deps.toolServer };
      return of("market", (asked) => boardPage(asked, identity), BOARD_PARAMETERS);
    }
    case SITE_PATHS.originators:
      return of("market", originatorsPage, ["page"]);
    case SITE_PATHS.knowledge:
      // What is searched for may be a raise.
      return of("market", (asked) => found(knowledgeSearchPage({ knowledge, search }, asked)), ["q"]);
    case SITE_PATHS.developers:
      return of("service", () => found(developersPage(deps)));
    case SITE_PATHS.system:
      return of("now", () => found(systemPage(deps)));
    default:
      return null;
  }
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** A canonical page: its path from the root, and the day or moment of its last change in ISO 8601. */
export type ListedPage = { path: string; updated: string };

/** Every canonical page with its last change, for the sitemaps. @param market null before the first indexed block */
export function sitePages(knowledge: Knowledge, market: Market | null): ListedPage[] {
  const updated = latest(knowledge.pages.map((page) => page.updated));
  const changes = new Map(
    (market?.listings ?? []).map((listing) => [listing.publicId, market?.changedAt(listing) ?? ""]),
  );
  const marketUpdated = changes.size === 0 ? updated : latest([...changes.values()]);
  return [
    { path: SITE_PATHS.board, updated: marketUpdated },
    ...(market?.listings ?? []).map(({ publicId }) => ({
      path: `${SITE_PATHS.listings}/${publicId}`,
      updated: changes.get(publicId) ?? marketUpdated,
    })),
    { path: SITE_PATHS.originators, updated: marketUpdated },
    ...(market?.originators ?? []).map(({ publicId, listings }) => ({
      path: `${SITE_PATHS.originators}/${publicId}`,
      updated: latest(listings.map((listing) => changes.get(listing.publicId) ?? "")) || marketUpdated,
    })),
    { path: SITE_PATHS.knowledge, updated },
    ...knowledge.pages.map((page) => ({
      path: `${SITE_PATHS.knowledge}/${page.slug}`,
      updated: page.updated,
    })),
    { path: SITE_PATHS.developers, updated },
    { path: SITE_PATHS.reference, updated },
    { path: SITE_PATHS.graphql, updated },
    { path: SITE_PATHS.system, updated: marketUpdated },
  ];
}

function latest(moments: readonly string[]): string {
  return moments.reduce((a, b) => (a > b ? a : b), "");
}
