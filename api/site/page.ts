/**
 * A page before it has a form. HTML and Markdown are both written from it, so that neither can say what the other does
 * not. What a page says is decided by the pure functions that return one of these; how it looks, by the two writers
 * (`html/`, `markdown/`). http.md, "Pages".
 * @module
 */
import type { JSX } from "hono/jsx/jsx-runtime";
import type { Snapshot } from "../market/snapshot.ts";
import type { Value } from "./value.ts";

/** What a page is made for. */
export type PageRequest = {
  /** the market as it stands; null before the first indexed block */
  snapshot: Snapshot | null;
  query: URLSearchParams;
};

/** What comes of the request for a page. */
export type PageResult =
  /** provisional: the tables were behind the market, as after a reorg, so that it is not to be kept */
  | { kind: "page"; page: Page; isProvisional?: boolean }
  /** the same page has another canonical address: a path from the root, with a query if one belongs to it */
  | { kind: "moved"; path: string }
  | { kind: "missing"; detail: string }
  /** the query of the page cannot be used; `page` says why, and what is allowed */
  | { kind: "refused"; page: Page }
  /** no block is indexed yet, or what the page needs is not there while the index is built */
  | { kind: "not_indexed_yet" };

export type Page = {
  /** canonical, from the root, without a query */
  path: string;
  /** may come from a third party */
  title: string;
  /** one sentence; may quote a third party */
  description: string;
  /** day or moment of the last change of what the page says: ISO 8601 */
  updated: string;
  /** the way from the front page to here, this page left out */
  crumbs: readonly Crumb[];
  /** what stands at the title: status, grade */
  badges?: readonly Fact[];
  sections: readonly Section[];
  /** whether search engines should leave it out, such as the answer to a question */
  isUnlisted?: boolean;
  /** whether its figures follow the chain: then it refreshes itself */
  isLive: boolean;
  /** schema.org, only what is true */
  jsonLd?: readonly object[];
  /** another's program below all of this, in HTML alone */
  console?: Console;
};

type Console = {
  /** of the element that it draws in */
  id: string;
  label: string;
  /** paths from the root, in the order in which they are loaded */
  styles: readonly string[];
  scripts: readonly string[];
};

export type Crumb = { title: string; path: string };

/** A part of a page. The first may stand without a heading. */
export type Section = {
  /** of the heading, for links and for the refresh: unique on the page */
  id: string;
  title: string | null;
  blocks: readonly Block[];
};

export type Block =
  /** our own words */
  | { kind: "paragraph"; text: string }
  /** a third party's words, whose line feeds are kept */
  | { kind: "quote"; text: string }
  /** of the knowledge base: the operator's words; links are absolute. HTML in it is shown as text */
  | { kind: "prose"; markdown: string }
  | { kind: "facts"; look: "headline" | "grid" | "list"; facts: readonly Fact[] }
  | { kind: "table"; table: Table }
  | { kind: "progress"; progress: ProgressBar }
  | { kind: "chart"; chart: Chart }
  | { kind: "picture"; picture: Picture }
  | { kind: "links"; links: readonly PageLink[] }
  /** a link that asks to be followed */
  | { kind: "action"; link: PageLink }
  | { kind: "notice"; tone: "info" | "warning" | "error"; text: string }
  | { kind: "snippet"; snippet: Snippet }
  | { kind: "form"; form: FilterForm };

/** One thing that a page says. */
export type Fact = {
  /** the name of the field in the other faces, unique within its section */
  key: string;
  label: string;
  value: Value;
  /** what is said beside it, in our own words */
  note?: string;
};

export type Table = {
  /** says what the rows are */
  caption: string;
  columns: readonly Column[];
  rows: readonly Row[];
  /** what is said when there are no rows */
  empty: string;
};

export type Column = {
  /** the name of the field in the other faces */
  key: string;
  label: string;
  /** numbers stand at the end, so that their digits stand below each other */
  align?: "end";
};

/** Cells in the order of the columns; the first one names the row. */
export type Row = {
  /** unique within the table, such as a public id */
  key: string;
  cells: readonly Value[];
};

/** How far something is: a part of a whole, with places on the way. Base units. */
export type ProgressBar = {
  label: string;
  /** base units */
  value: string;
  max: string;
  marks: readonly { label: string; at: string }[];
  /** the same in words */
  text: string;
};

/** A drawing, and the same as rows for whoever does not see it. */
export type Chart = { title: string; svg: JSX.Element; table: Table };

/** One of our own files. Pixels. */
type Picture = { src: string; alt: string; height: number };

export type PageLink = { text: string; href: string; note?: string };

/** Something to copy. */
export type Snippet = { label: string; language: string; text: string };

/** A form that asks by GET. */
export type FilterForm = {
  /** path from the root */
  action: string;
  label: string;
  submit: string;
  /** attributes of the form by which an agent in the browser knows it as a tool */
  attributes?: Readonly<Record<string, string>>;
  fields: readonly Field[];
  /** path that asks for everything again; null when nothing is asked */
  reset: string | null;
};

export type Field = {
  name: string;
  label: string;
  /** what it takes, in a sentence */
  description: string;
  value: string;
  /** the choices of a select; text is typed where there are none */
  options?: readonly { value: string; label: string }[];
  input?: "search" | "number";
  attributes?: Readonly<Record<string, string>>;
};
