/** @module The contents of a page, as a test reads it: every fact by its key, and the rules for any page. */
import { expect } from "vitest";
import type { Block, Fact, Page, PageResult, Section, Table } from "../../api/site/page.ts";
import { exactOf, textOf } from "../../api/site/value.ts";

/** The page of an answer that has one. */
export function pageIn(found: PageResult, kind: "page" | "refused" = "page"): Page {
  if (found.kind !== kind) throw new Error(`the answer is ${found.kind}`);
  return found.page;
}

export function sectionOf(page: Page, id: string): Section {
  const section = page.sections.find((one) => one.id === id);
  if (section === undefined) throw new Error(`there is no section ${id}`);
  return section;
}

export function blocksOf<Kind extends Block["kind"]>(
  { blocks }: Section,
  kind: Kind,
): Extract<Block, { kind: Kind }>[] {
  return blocks.filter((block): block is Extract<Block, { kind: Kind }> => block.kind === kind);
}

function factsIn({ blocks }: Section): readonly Fact[] {
  return blocks.flatMap((block) => {
    if (block.kind === "facts") return block.facts;
    return block.kind === "shares" ? [block.shares.whole, ...block.shares.parts.map(({ fact }) => fact)] : [];
  });
}

/** Every fact of a page by its key, exactly; one that occurs twice must be the same in both places. */
export function exactFacts({ sections, badges = [] }: Page): Record<string, string | null> {
  const exact = new Map<string, string | null>();
  for (const { key, value } of [...badges, ...sections.flatMap(factsIn)]) {
    if (exact.has(key)) expect([key, exactOf(value)]).toEqual([key, exact.get(key)]);
    exact.set(key, exactOf(value));
  }
  return Object.fromEntries(exact);
}

export function factIn(page: Page, key: string): Fact {
  const fact = page.sections.flatMap(factsIn).find((one) => one.key === key);
  if (fact === undefined) throw new Error(`there is no fact ${key}`);
  return fact;
}

export function tableIn(section: Section): Table {
  const [block] = blocksOf(section, "table");
  if (block === undefined) throw new Error(`section ${section.id} has no table`);
  return block.table;
}

/** The rows as objects of the exact value in each column. */
export function exactRows({ columns, rows }: Table): Record<string, string | null>[] {
  return rows.map(({ cells }) =>
    Object.fromEntries(columns.map(({ key }, at) => [key, exactOf(cells[at] ?? { kind: "none" })])),
  );
}

/** The words of ours and of others in paragraphs and notices. */
export function wordsOf({ sections }: Page): string {
  return sections
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.kind === "paragraph" || block.kind === "notice" ? [block.text] : []))
    .join("\n");
}

export function hrefsIn({ sections, crumbs }: Page): string[] {
  const links = sections.flatMap((section) => blocksOf(section, "links")).flatMap((block) => block.links);
  return [...crumbs.map(({ path }) => path), ...links.map(({ href }) => href)];
}

/** Ids, keys, rows and columns are unique where they must be; nothing that a reader needs is empty. */
export function checkForm(page: Page): void {
  const { title, description, updated, sections, badges = [] } = page;
  expect(title.trim()).not.toBe("");
  expect(description.trim()).not.toBe("");
  expect(Number.isNaN(Date.parse(updated))).toBe(false);
  expectUnique(sections.map(({ id }) => id));
  expectUnique(badges.map(({ key }) => key));
  for (const beside of [true, false]) {
    const column = sections.filter(({ isBeside = false }) => isBeside === beside);
    expect(column.slice(1).filter((section) => section.title === null)).toEqual([]);
  }
  for (const section of sections) {
    expect(section.blocks.length).toBeGreaterThan(0);
    const facts = factsIn(section);
    expectUnique(facts.map(({ key }) => key));
    for (const { label, note } of facts)
      for (const one of [label, note ?? "."]) expect(one.trim()).not.toBe("");
    for (const { table } of blocksOf(section, "table")) {
      expectUnique(table.rows.map(({ key }) => key));
      expectUnique(table.columns.map(({ key }) => key));
      for (const { cells } of table.rows) {
        expect(cells).toHaveLength(table.columns.length);
        expect(cells.filter((cell) => cell.kind === "link" && textOf(cell).trim() === "")).toEqual([]);
      }
    }
    for (const { links } of blocksOf(section, "links")) {
      expectUnique(links.map(({ href, text }) => `${href} ${text}`));
      expect(links.filter(({ text }) => text.trim() === "")).toEqual([]);
    }
  }
}

function expectUnique(names: readonly string[]): void {
  expect([...new Set(names)]).toEqual([...names]);
}
