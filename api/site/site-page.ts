/** @module The form of an entry in the table of pages (`pages.ts`). */
import type { SiteDependencies } from "./dependencies.ts";
import type { BidsStore, SeriesStore } from "./listing/series.ts";
import type { PageRequest, PageResult } from "./page.ts";

/** The dependency of a cached answer: the market, the service only, or the moment. */
export type Freshness = "market" | "service" | "now";

export type PageDependencies = SiteDependencies & {
  series: SeriesStore;
  bids: BidsStore;
};

/** A canonical page: its path from the root, and the date or time of its last change, ISO 8601. */
type ListedPage = { path: string; updated: string };

/** Pages that the sitemaps list together. */
export type ListedGroup = {
  /** part of the names of its files */
  name: string;
  count: number;
  /** characters of the longest path that a page of it can have */
  longest: number;
  /** changes with each change of its pages */
  revision: string;
  /** the last change of any of its pages, ISO 8601 */
  updated: string;
  /** in an order in which new pages come last */
  pages(): readonly ListedPage[];
};

/** The content of the sitemaps, with the times of its last change. */
type Published = Pick<SiteDependencies, "knowledge" | "description"> & {
  marketAt: string;
  knowledgeAt: string;
};

export type SitePage = {
  /** canonical path; a page with an id ends in a parameter */
  path: string;
  operationId: string;
  summary: string;
  description: string;
  id?: { description: string; example: string };
  /** query parameters that change the page, with their descriptions; others are ignored */
  query?: Readonly<Record<string, string>>;
  /** the reason that a query can be refused; absent if it never is */
  refusal?: string;
  freshness: Freshness;
  /** what a redirect to another address says; absent if there is none */
  redirects?: string;
  /** whether it has a feed, a calendar and a picture (`subject.ts`) */
  hasFiles?: boolean;
  /** whether another face answers at the same path */
  isShared?: boolean;
  /** its entry in llms.txt, unless only people have a use for it, and in the navigation if it is a main page */
  entry?: { title: string; note: string; isMain?: boolean; isForPeople?: boolean };
  make(deps: PageDependencies, request: PageRequest, id: string): PageResult | Promise<PageResult>;
  /** the canonical pages, but for those of raises and businesses (`listed.ts`) */
  list(published: Published): readonly ListedPage[];
};
