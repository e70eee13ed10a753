/** @module Builders for the parts of a page. */
import type { Warning } from "../market/sentences.ts";
import type { Snippet } from "./endpoint.ts";
import type { Block, Column, Fact, PageLink, Section, Table } from "./page.ts";
import type { Value } from "./value.ts";

/**
 * A section of a page. Nulls and empty lists of links are left out.
 * @param id of the heading, unique on the page
 * @param title null for a section without a heading
 */
export function section(id: string, title: string | null, blocks: readonly (Block | null)[]): Section {
  return {
    id,
    title,
    blocks: blocks.filter((block): block is Block => !isEmpty(block)),
  };
}

function isEmpty(block: Block | null): boolean {
  return block === null || (block.kind === "links" && block.links.length === 0);
}

export function programsSection(...targets: readonly PageLink[]): Section {
  return section("elsewhere", "Raw data", [links(targets)]);
}

/** @param key the field's name in the API, unique within its section @param note shown next to the value */
export function fact(key: string, label: string, value: Value, note?: string): Fact {
  return { key, label, value, note };
}

/** @param href path from the root, or absolute */
export function linkTo(text: string, href: string, note?: string): PageLink {
  return { text, href, note };
}

type TableParameters<Item> = Pick<Table, "caption" | "empty" | "look"> & {
  items: readonly Item[];
  keyOf(item: Item, index: number): string;
  /** `key` is the field's name in the API; the first column names the row */
  columns: readonly (readonly [
    key: string,
    label: string,
    cell: (item: Item) => Value,
    align?: Column["align"],
  ])[];
};

export function tableOf<Item>({ caption, items, keyOf, columns, empty, look }: TableParameters<Item>): Table {
  return {
    caption,
    columns: columns.map(([key, label, , align]) => ({ key, label, align })),
    rows: items.map((item, index) => ({
      key: keyOf(item, index),
      cells: columns.map(([, , cell]) => cell(item)),
    })),
    empty,
    look,
  };
}

export const table = <Item>(parameters: TableParameters<Item>): Block => ({
  kind: "table",
  table: tableOf(parameters),
});
export const facts = (look: "grid" | "list" | "figure", facts: readonly Fact[]): Block => ({
  kind: "facts",
  look,
  facts,
});
export const links = (links: readonly PageLink[]): Block => ({ kind: "links", links });
export const paragraph = (text: string): Block => ({ kind: "paragraph", text });
const NOTICE_WORDS = { info: "Note:", warning: "Warning:", error: "Problem:" } as const;

/** @param word the first one, such as "Overdue:" */
export const notice = (
  tone: keyof typeof NOTICE_WORDS,
  text: string,
  word: string = NOTICE_WORDS[tone],
): Block => ({
  kind: "notice",
  tone,
  word,
  text,
});
export const snippet = (snippet: Snippet): Block => ({ kind: "snippet", snippet });

/** The reasons to check a raise or a business before sending money, at the top of its page; null without one. */
export function warningSection(warnings: readonly Warning[]): Section | null {
  if (warnings.length === 0) return null;
  const notices = warnings.map(({ mark, sentence }) => notice("warning", sentence, `${mark}.`));
  return { ...section("warnings", "Check before you send money", notices), isBeside: true, tone: "bad" };
}
