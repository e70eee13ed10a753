/**
 * Every page that the site has, in one place. A page that stands here is opened by every test of this folder.
 * @module
 */

/** A market of every status; none at all; one that is read in while people look; nothing read in yet. */
export type World = "market" | "empty" | "syncing" | "starting";

export type PagePlace = { world: World; path: string };

export type SitePage = PagePlace & {
  /** what tests and pictures are called */
  name: string;
  status: number;
  /** whether another's program draws on it, which has tests of its own for how it looks and how it is used */
  isConsole?: boolean;
};

const STATES = ["listed", "funding", "live", "matured", "refunding", "voided", "cancelled"] as const;

export const PAGES: readonly SitePage[] = [
  page("board", "/"),
  page("board-filtered", "/?status=funding&sort=closing_soon"),
  page("board-search", "/?q=ovens"),
  page("board-nothing-found", "/?q=zzzzzz&minCouponBps=9999"),
  page("board-nearest", "/?show=all&country=SG&grade=A"),
  page("board-ranges", "/?show=all&interest=12&interest_to=15&grade=B,NR"),
  page("board-table", "/?show=all&sort=best_grade&view=table"),
  page("board-empty", "/", { world: "empty" }),
  page("board-syncing", "/", { world: "syncing" }),
  page("board-starting", "/", { world: "starting", status: 503 }),
  ...STATES.map((state, index) => page(`listing-${state}`, `/listings/lst_${index + 1}`)),
  page("originators", "/originators"),
  page("originators-empty", "/originators", { world: "empty" }),
  page("originator", "/originators/org_northwind"),
  page("originator-unverified", "/originators/org_unverified"),
  page("compare", "/compare?ids=lst_1,lst_2,lst_3,lst_8"),
  page("compare-none", "/compare"),
  page("compare-unknown", "/compare?ids=lst_3,lst_none", { status: 400 }),
  page("watched", "/watched?ids=lst_1,lst_3,lst_4,lst_7,lst_8"),
  page("watched-none", "/watched"),
  page("knowledge", "/knowledge"),
  page("knowledge-grades", "/knowledge/grades"),
  page("knowledge-risks", "/knowledge/risks"),
  page("knowledge-life", "/knowledge/life-of-a-raise"),
  page("knowledge-search", "/knowledge?q=who+is+late"),
  page("developers", "/developers"),
  page("limits", "/developers/limits"),
  page("data", "/data"),
  page("reference", "/developers/reference", { isConsole: true }),
  page("graphql", "/graphql", { isConsole: true }),
  page("system", "/system"),
  page("system-starting", "/system", { world: "starting" }),
  page("not-found", "/nothing/here", { status: 404 }),
  page("listing-not-found", "/listings/lst_none", { status: 404 }),
];

/** What is all of our own making. */
export const OWN_PAGES = PAGES.filter(({ isConsole }) => !isConsole);

function page(name: string, path: string, changes: Partial<SitePage> = {}): SitePage {
  return { name, path, world: "market", status: 200, ...changes };
}

/** A small phone, a tablet, a desk. Pixels. */
export const WIDTHS = [320, 768, 1440] as const;
export const THEMES = ["light", "dark"] as const;
