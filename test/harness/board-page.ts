/** @module The board before it has a form, for tests that look at what it says. */
import type { Snapshot } from "../../api/market/snapshot.ts";
import { TOOL_CATALOG } from "../../api/mcp/catalog.ts";
import { boardPage } from "../../api/site/board/index.ts";
import type { Block, Page, PageResult, Table } from "../../api/site/page.ts";
import { blocksOf as blocksOfSection, sectionOf } from "./site-pages.ts";
import { SITE } from "./snapshot.ts";

const IDENTITY = {
  ...SITE,
  ...{ siteName: "Raisebook", logo: "/brand/logo.svg", toolServer: TOOL_CATALOG, proof: null },
};

/** The board's answer to a query. */
export function answerOf(snapshot: Snapshot | null, query: string | Record<string, string>): PageResult {
  return boardPage({ snapshot, query: new URLSearchParams(query) }, IDENTITY);
}

/** After the redirect to a cleaner address, if there is one. */
export function boardOf(snapshot: Snapshot, query: string | Record<string, string>): PageResult {
  const answer = answerOf(snapshot, query);
  return answer.kind === "moved" ? boardOf(snapshot, new URL(answer.path, SITE.publicUrl).search) : answer;
}

/** The page that was found, or that says why the query cannot be used. */
export function pageOf(found: PageResult): Page {
  if (found.kind !== "page" && found.kind !== "refused") throw new Error(`no page: ${found.kind}`);
  return found.page;
}

/** The blocks of one kind in a section. */
export function blocksOf<Kind extends Block["kind"]>(page: Page, section: string, kind: Kind) {
  return blocksOfSection(sectionOf(page, section), kind);
}

/** The table of the board's raises. */
export function tableOf(page: Page): Table {
  const [block] = blocksOf(page, "raises", "table");
  if (block === undefined) throw new Error("the board has a table");
  return block.table;
}

/** The public ids of the raises in it, in their order. */
export function rowsOf(page: Page): string[] {
  return tableOf(page).rows.map(({ key }) => key);
}
