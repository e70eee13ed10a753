/**
 * The parts of a page before it has a form, for tests that look at what it says.
 * @module
 */
import type { Found } from "../../api/site/found.ts";
import type { Block, Page, Section, Table } from "../../api/site/page.ts";

/** The page that was found, or that says why the query cannot be used. */
export function pageOf(found: Found): Page {
  if (found.kind !== "page" && found.kind !== "refused") throw new Error(`no page: ${found.kind}`);
  return found.page;
}

function sectionOf({ sections }: Page, id: string): Section {
  const section = sections.find((one) => one.id === id);
  if (section === undefined) throw new Error(`no section ${id}`);
  return section;
}

/** The blocks of one kind in a section. */
export function blocksOf<Kind extends Block["kind"]>(
  page: Page,
  section: string,
  kind: Kind,
): Extract<Block, { kind: Kind }>[] {
  return sectionOf(page, section).blocks.filter(
    (block): block is Extract<Block, { kind: Kind }> => block.kind === kind,
  );
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
