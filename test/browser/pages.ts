/** @module Every page that the site has, in one place. A page that stands here is opened by every test of this folder. */

/** A market of every status; none at all; one that is read in while people look; nothing read in yet. */
export type World = "market" | "empty" | "syncing" | "starting";

export type PagePlace = { world: World; path: string };

export type SitePage = PagePlace & {
  /** what tests and pictures are called */
  name: string;
  status: number;
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
  page("originator-right-to-left", "/originators/org_fustat"),
  page("compare-right-to-left", "/compare?ids=lst_4,lst_5,lst_6,lst_7"),
  page("board-search-right-to-left", `/?show=all&q=${encodeURIComponent("فرنا")}`),
  page("statistics", "/statistics"),
  page("statistics-quarters", "/statistics?by=quarter"),
  page("statistics-empty", "/statistics", { world: "empty" }),
  page("statistics-refused", "/statistics?by=day", { status: 400 }),
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
  page("reference", "/developers/reference"),
  page("reference-listings", "/developers/reference/listings"),
  page("reference-tools", "/developers/reference/tools"),
  page("reference-types", "/developers/reference/graphql-types"),
  page("reference-events", "/developers/reference/graphql-events"),
  page("graphql", "/developers/graphql"),
  page("graphql-refused", "/developers/graphql?query={nothing}&variables=x", { status: 400 }),
  page("graphql-starting", "/developers/graphql", { world: "starting" }),
  page("system", "/system"),
  page("system-starting", "/system", { world: "starting" }),
  page("not-found", "/nothing/here", { status: 404 }),
  page("listing-not-found", "/listings/lst_none", { status: 404 }),
];

/** Cards for the frames of other sites: no pages, without a header and without scripts. */
export const CARDS: readonly SitePage[] = [
  page("card-open", "/embed/listings/lst_2"),
  page("card-late", "/embed/listings/lst_3"),
  page("card-dark", "/embed/listings/lst_8?theme=dark"),
  page("card-starting", "/embed/listings/lst_2", { world: "starting", status: 503 }),
  page("card-not-found", "/embed/listings/lst_none", { status: 404 }),
  page("card-refused", "/embed/listings/lst_2?theme=pink", { status: 400 }),
];

function page(name: string, path: string, changes: Partial<SitePage> = {}): SitePage {
  return { name, path, world: "market", status: 200, ...changes };
}

/** A small phone, a tablet, a desk. Pixels. */
export const WIDTHS = [320, 768, 1440] as const;
export const THEMES = ["light", "dark"] as const;
