/**
 * The contents of a page, read from each of its two forms as a reader would: HTML by its elements, Markdown by its blocks. The
 * two readings have one shape, so that a test can hold them against each other.
 * @module
 */
import { parseHTML } from "linkedom";
import { lexer, type Token, type Tokens } from "marked";
import { parseDocument } from "yaml";
import { withoutIsolations } from "./hostile/html-shape.ts";
import type { WebLink } from "./web-links.ts";

export type PageFacts = {
  title: string;
  description: string;
  canonical: string;
  /** label and value, with the text next to it, in order */
  facts: string[];
  tables: { caption: string | null; columns: string[]; rows: string[][] }[];
  /** and where its forms ask; absolute, sorted, each once */
  links: string[];
};

/** A fact of the HTML, with what it is exactly. */
export type ExactFact = {
  /** the name of the field in the other faces */
  key: string;
  /** of its row; null outside of tables */
  row: string | null;
  /** in the words of the other faces; null without one */
  exact: string | null;
  /** absolute, where the value is a link */
  href: string | null;
};

const oneLine = (text: string | null | undefined) => (text ?? "").replace(/\s+/g, " ").trim();

/** The page's own part of a document: what is around it is the same everywhere. */
function mainOf(html: string) {
  const { document } = parseHTML(withoutIsolations(html));
  const main = document.querySelector("main");
  if (main === null) throw new Error("the document has no main part");
  // Parts that only choose raises state no facts, and are in no Markdown.
  for (const own of main.querySelectorAll(".choice, .compare-bar, .star")) own.remove();
  return { document, main };
}

/** @param url of the page, absolute */
export function factsOfHtml(html: string, url: string): PageFacts {
  const { document, main } = mainOf(html);
  const attribute = (selector: string, name: string) =>
    document.querySelector(selector)?.getAttribute(name) ?? "";
  const links = [...main.querySelectorAll("a[href]")]
    .filter((link) => link.closest("form, nav, thead") === null)
    .map((link) => link.getAttribute("href"));
  const forms = [...main.querySelectorAll("form")].map((form) => form.getAttribute("action"));
  return {
    title: oneLine(main.querySelector("h1")?.textContent),
    description: attribute('meta[name="description"]', "content"),
    canonical: attribute('link[rel="canonical"]', "href"),
    facts: [...main.querySelectorAll(".fact, .prose li")].flatMap(factOfElement),
    tables: [...main.querySelectorAll("table, [data-table]")].map(tableOfElement),
    links: distinct([...links, ...forms].map((href) => absolute(href ?? "", url))),
  };
}

/** The text of an element; for a shortened hash or time, the full text that a tooltip shows. */
function textOfElement(element: Element | null): string {
  const short = element?.querySelector("code[title], time.clock");
  return oneLine(short?.getAttribute("title") ?? element?.textContent);
}

function factOfElement(element: Element): string[] {
  if (element.classList.contains("fact")) {
    const label = oneLine(element.querySelector("dt")?.textContent);
    const value = textOfElement(element.querySelector("[data-fact]"));
    const note = element.querySelector(".fact-note");
    return [`${label}: ${value}${note === null ? "" : ` (${oneLine(note.textContent)})`}`];
  }
  return LABELLED.test(element.innerHTML) ? [oneLine(element.textContent)] : [];
}

/** An item of a list in the knowledge base that reads like a fact. */
const LABELLED = /^\s*(<p>)?<strong>[^<]+<\/strong>:/;

/** Cards and histories are tables too: each row names itself. */
function tableOfList(list: Element): PageFacts["tables"][number] {
  const rows = [...list.querySelectorAll("[data-row]")].map((row) => [
    ...row.querySelectorAll("[data-fact]"),
  ]);
  return {
    caption: oneLine(list.querySelector(".table-caption")?.textContent),
    columns: (rows[0] ?? []).map((cell) => cell.getAttribute("data-label") ?? ""),
    rows: rows.map((cells) => cells.map(textOfElement)),
  };
}

function tableOfElement(table: Element): PageFacts["tables"][number] {
  if (table.hasAttribute("data-table")) return tableOfList(table);
  const cells = (row: Element) => [...row.querySelectorAll("th, td")].map(textOfElement);
  const caption = table.querySelector("caption");
  return {
    caption: caption === null ? null : oneLine(caption.textContent),
    columns: [...table.querySelectorAll("thead tr")].flatMap(cells),
    rows: [...table.querySelectorAll("tbody tr")].map(cells),
  };
}

/** Every fact and every cell that says what it is exactly. */
export function exactFactsOf(html: string, url: string): ExactFact[] {
  const { main } = mainOf(html);
  return [...main.querySelectorAll("[data-fact]")].map((element) => {
    const href = element.querySelector("a[href]")?.getAttribute("href") ?? null;
    return {
      key: element.getAttribute("data-fact") ?? "",
      row: element.closest("[data-row]")?.getAttribute("data-row") ?? null,
      exact: element.getAttribute("data-exact"),
      href: href === null ? null : absolute(href, url),
    };
  });
}

/** Our own words on a page: each paragraph as one line. What a form or the row of a table says is left out. */
export function paragraphsOfHtml(html: string): string[] {
  const { main } = mainOf(html);
  return (
    [...main.querySelectorAll("p")]
      // The line for paper repeats the address and the time, which Markdown has at its head.
      .filter((paragraph) => paragraph.closest("form, [data-row], .print-note") === null)
      .map((paragraph) => oneLine(paragraph.textContent))
      .filter((text) => text !== "")
  );
}

/** The places in a document that an anchor can name. */
export function idsOfHtml(html: string): string[] {
  // Each page links to its own main part: parsing all pages for that takes a quarter of a minute.
  return [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = ""]) => id);
}

/** The links in a document's head that are for programs: not what a browser itself fetches, nor the page's address. */
export function linksInHead(html: string): WebLink[] {
  const { document } = parseHTML(html);
  return [...document.querySelectorAll("head link")]
    .map((link) => ({
      href: link.getAttribute("href") ?? "",
      rel: link.getAttribute("rel") ?? "",
      type: link.getAttribute("type") ?? undefined,
    }))
    .filter(({ rel }) => !BROWSERS_OWN.has(rel));
}

const BROWSERS_OWN = new Set([
  "icon",
  "apple-touch-icon",
  "manifest",
  "stylesheet",
  "modulepreload",
  "canonical",
]);

/** The anchors that readers of Markdown make of its headings. */
export function headingsOfMarkdown(markdown: string): string[] {
  const anchors: string[] = [];
  walk(lexer(markdown), (token) => {
    if (token.type !== "heading") return;
    const words = textOf([token]).trim().toLowerCase();
    anchors.push(words.replace(/[^\p{L}\p{N}\- ]/gu, "").replaceAll(" ", "-"));
  });
  return anchors;
}

/** Reads Markdown with frontmatter. */
export function factsOfMarkdown(markdown: string, url: string): PageFacts {
  const { frontmatter, tokens } = readMarkdown(markdown);
  const page: PageFacts = {
    title: String(frontmatter.title),
    description: String(frontmatter.description),
    canonical: String(frontmatter.canonical),
    facts: [],
    tables: [],
    links: [],
  };
  let before: Token | undefined;
  walk(tokens, (token) => {
    if (token.type === "list_item") page.facts.push(...factOfItem(token as Tokens.ListItem));
    if (token.type === "table") page.tables.push(tableOfToken(token as Tokens.Table, before));
    if (token.type === "link") page.links.push(absolute((token as Tokens.Link).href, url));
    if (BLOCKS.has(token.type)) before = token;
  });
  return { ...page, links: distinct(page.links) };
}

/** All words of a Markdown document as one line, without its marks. */
export function textOfMarkdown(markdown: string): string {
  const { tokens } = readMarkdown(markdown);
  const blocks: string[] = [];
  walk(tokens, (token) => {
    if (token.type === "table") {
      const { header, rows } = token as Tokens.Table;
      blocks.push(...[header, ...rows].flat().map((cell) => textOf(cell.tokens)));
    } else if (BLOCKS.has(token.type) || token.type === "text") blocks.push(textOf([token]));
  });
  return oneLine(blocks.join(" "));
}

const BLOCKS = new Set(["paragraph", "heading", "code", "table", "list", "blockquote"]);

function readMarkdown(written: string): { frontmatter: Record<string, unknown>; tokens: Token[] } {
  const markdown = withoutIsolations(written);
  const [, yaml, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(markdown) ?? [];
  if (yaml === undefined || body === undefined) throw new Error("the Markdown has no frontmatter");
  return { frontmatter: parseDocument(yaml).toJS(), tokens: lexer(body) };
}

/** In the order of the text. */
function walk(tokens: readonly Token[], visit: (token: Token) => void): void {
  for (const token of tokens) {
    visit(token);
    if (token.type === "list") walk((token as Tokens.List).items, visit);
    else if (token.type === "table") {
      const { header, rows } = token as Tokens.Table;
      for (const cell of [header, ...rows].flat()) walk(cell.tokens, visit);
    } else if ("tokens" in token) walk(token.tokens ?? [], visit);
  }
}

function factOfItem({ tokens }: Tokens.ListItem): string[] {
  const [line] = tokens;
  const inline = line !== undefined && "tokens" in line ? (line.tokens ?? []) : [];
  const [label, rest] = inline;
  const isFact = label?.type === "strong" && rest?.type === "text" && rest.raw.startsWith(":");
  return isFact ? [oneLine(textOf(inline))] : [];
}

function tableOfToken(
  { header, rows }: Tokens.Table,
  before: Token | undefined,
): PageFacts["tables"][number] {
  const cells = (row: readonly Tokens.TableCell[]) => row.map((cell) => oneLine(textOf(cell.tokens)));
  const caption = before?.type === "paragraph" ? oneLine(textOf([before])) : "";
  return {
    caption: caption.endsWith(":") ? caption.slice(0, -1) : null,
    columns: cells(header),
    rows: rows.map(cells),
  };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** The words of inline tokens, as a reader sees them. */
function textOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === "br") return " ";
      if ("tokens" in token && token.tokens !== undefined) return textOf(token.tokens);
      const text = "text" in token ? String(token.text) : "";
      return token.type === "codespan" || token.type === "code" || token.type === "escape"
        ? text
        : text.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole);
    })
    .join("");
}

function absolute(href: string, url: string): string {
  return new URL(href, url).href;
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}
