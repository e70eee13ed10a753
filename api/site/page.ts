/**
 * A page as data. HTML and Markdown are both written from it, so that neither can say what the other does not. http.md,
 * "Pages".
 * @module
 */
import type { JSX } from "hono/jsx/jsx-runtime";
import type { Alternate } from "../http/links.ts";
import type { Snapshot } from "../market/snapshot.ts";
import type { Endpoint, PropertyList, Snippet, Tabs } from "./endpoint.ts";
import type { Tone, Value } from "./value.ts";

export type PageRequest = {
  /** the current market; null before the first indexed block */
  snapshot: Snapshot | null;
  query: URLSearchParams;
};

export type PageResult =
  | { kind: "page"; page: Page }
  /** the page has another canonical address: a path from the root, perhaps with a query */
  | { kind: "moved"; path: string }
  | { kind: "missing"; detail: string }
  /** the query is invalid, or with 503 cannot be answered now; `page` gives the reason and the allowed values */
  | { kind: "refused"; page: Page; status?: 503 }
  /** no block is indexed yet, or the data is still being indexed */
  | { kind: "not_indexed_yet" }
  /** the data cannot be had at the moment */
  | { kind: "busy"; detail: string };

export type Page = {
  /** canonical, from the root, without a query */
  path: string;
  /** may be a third party's text */
  title: string;
  /** one sentence; may quote a third party */
  description: string;
  /** below the title; the description when not given, null for nothing */
  lead?: string | null;
  /** the layout on wide screens: the sections next to the title get their own column; one column if absent */
  layout?: "hero" | "line" | "columns";
  proof?: AuditBadge;
  /** above the title: decoration, in HTML only */
  cover?: JSX.Element;
  /** date or time of the last change of the content, ISO 8601 */
  updated: string;
  /** the path from the front page, without this page */
  crumbs: readonly Crumb[];
  /** public id of the raise that the page is about, for its star */
  watch?: string;
  /** whether readers send it to others: it has a button that does */
  canShare?: boolean;
  /** next to the title: status, grade */
  badges?: readonly Fact[];
  sections: readonly Section[];
  /** whether search engines should ignore it, such as search results */
  isUnlisted?: boolean;
  /** whether it begins with a list of its sections: next to them on wide screens, else folded above them */
  hasContents?: boolean;
  /** the list when it leads to other pages, too */
  contents?: readonly ContentsGroup[];
  /** whether its figures follow the chain; then it refreshes itself */
  isLive: boolean;
  /** whether it would be another at the same market, so that it is not kept */
  isPassing?: boolean;
  /** whether it is about an earlier moment */
  isPast?: boolean;
  /** the stream of the events that change a live page; without one it polls itself */
  stream?: string;
  alternates?: readonly Alternate[];
  /** its preview on other sites: the picture's path from the root, and the same in words */
  picture?: { path: string; alt: string };
  jsonLd?: readonly object[];
};

/** Size of a page's picture, as other sites expect it; pixels. */
export const PICTURE_SIZE = { width: 1200, height: 630 } as const;

export type Crumb = { title: string; path: string };

/** A section of a page. Only the first of its column may have no heading. */
export type Section = {
  /** id of the heading, for links and for the refresh; unique on the page */
  id: string;
  title: string | null;
  blocks: readonly Block[];
  /** next to the title on wide screens, directly below it on narrow ones */
  isBeside?: boolean;
  /** makes it a card, in the colour of the state that it describes */
  tone?: Tone;
  /** closed until a reader opens it; it needs a heading */
  isFolded?: boolean;
  /** the label that opens the section on a phone, where it is folded; absent if it is never folded */
  fold?: string;
};

export type AuditBadge = { text: string; href: string; tone: Tone };

export type Block =
  /** our own words */
  | { kind: "paragraph"; text: string }
  /** a third party's words, with their line feeds */
  | { kind: "quote"; text: string }
  /** the operator's words, from the knowledge base; links are absolute, HTML is shown as text */
  | { kind: "prose"; markdown: string }
  /** with a heading of its own below that of the section */
  | { kind: "facts"; look: "grid" | "list" | "figure"; facts: readonly Fact[]; heading?: string }
  | { kind: "table"; table: Table }
  | { kind: "progress"; progress: ProgressBar }
  | { kind: "chart"; chart: Chart }
  | { kind: "picture"; picture: Picture }
  /** laid out in a row: `choices` of a view, `chips` for filters that a link removes, and a `row` after its label */
  | { kind: "links"; look?: "choices" | "chips" | "row"; label?: string; links: readonly PageLink[] }
  | { kind: "shares"; shares: Shares }
  | { kind: "proof"; proof: AuditBadge }
  /** the place where a script in the visitor's browser proves a raise; HTML only, and empty without the script */
  | { kind: "prover"; publicId: string; chainId: number; publicNode: string | null }
  /** a secondary one is no invitation */
  | { kind: "action"; link: PageLink; isSecondary?: boolean }
  | { kind: "notice"; tone: "info" | "warning" | "error"; word: string; text: string }
  | { kind: "snippet"; snippet: Snippet }
  | { kind: "tabs"; tabs: Tabs }
  | { kind: "operations"; operations: OperationList }
  /** an operation of the reference, with its example next to it */
  | { kind: "endpoint"; endpoint: Endpoint }
  /** what an object or a query consists of; code in backticks */
  | { kind: "properties"; lists: readonly PropertyList[] }
  /** our own words, with code in backticks */
  | { kind: "note"; text: string }
  /** compares the ticked rows of tables of raises; HTML only */
  | { kind: "compare" }
  | { kind: "form"; form: FilterForm };

export type Fact = {
  /** the field's name in the API, unique within its section */
  key: string;
  label: string;
  value: Value;
  note?: string;
  /** link to the events behind the figure */
  source?: PageLink;
  /** where the label leads: what the figure counts */
  href?: string;
};

export type Table = {
  caption: string;
  columns: readonly Column[];
  rows: readonly Row[];
  empty: string;
  /** cards with a picture, a history by days, rows of one line, rows of two lines on a phone, a table that fits there, or things side by side */
  look?: "cards" | "timeline" | "dense" | "rows" | "small" | "compared";
  /** whether its rows are raises, by their public ids, that can be watched and compared: a block `compare` follows */
  isOfRaises?: boolean;
  /** whether rows stay where they are while the page refreshes itself, so that nothing moves that is being read */
  isSteady?: boolean;
};

export type Column = {
  /** the name of the field in the other faces */
  key: string;
  label: string;
  /** numbers are right-aligned */
  align?: "end";
  /** where its heading leads: the rows sorted by it, or the other way round */
  sortHref?: string;
  sorted?: "ascending" | "descending" | undefined;
  /** whether shares have a small bar */
  hasBar?: boolean | undefined;
};

/** Cells in the order of the columns; the first one names the row. */
export type Row = {
  /** unique within the table, such as a public id */
  key: string;
  cells: readonly Value[];
  cover?: JSX.Element;
  progress?: ProgressBar;
};

/** A whole and its parts as one bar, with the parts as facts below. */
export type Shares = {
  label: string;
  whole: Fact;
  text: string;
  /** follows the text */
  more?: PageLink;
  /** `weight` in base units */
  parts: readonly { fact: Fact; weight: string; tone: Tone; isSoft?: boolean }[];
};

/** A part of a whole, with marks on the way. Base units. */
export type ProgressBar = {
  label: string;
  value: string;
  max: string;
  marks: readonly { label: string; at: string }[];
  /** the same as a sentence */
  text: string;
  /** whether the sentence is shown; a screen reader has it anyway */
  isQuiet?: boolean;
  tone?: Tone | undefined;
  /** of what is missing of a whole; the empty track without one */
  missing?: Tone | undefined;
};

/** A drawing, and its data as a table. Without anything to draw the table has no rows, and its `empty` text replaces both. */
export type Chart = {
  title: string;
  svg: JSX.Element | null;
  table: Table;
  /** the label that opens the table */
  fold?: string;
  isTableOpen?: boolean;
};

/** Pixels; `width` reserves the place. */
type Picture = { src: string; alt: string; height: number; width?: number };

export type PageLink = {
  text: string;
  href: string;
  note?: string;
  /** the words of the note that a search was for, as ranges of characters */
  marks?: readonly (readonly [start: number, end: number])[];
  isCurrent?: boolean;
};

export type OperationList = {
  /** the label that folds the whole list; null when each operation folds separately */
  fold: string | null;
  operations: readonly Operation[];
};

export type Operation = {
  id: string;
  method: string;
  /** from the root, perhaps with parameters in braces */
  path: string;
  summary: string;
  description: string;
  parameters: readonly string[];
  reference: string;
  request: Tabs;
  /** null if none is recorded; its label names the type */
  answer: Snippet | null;
  isOpen: boolean;
};

/** The pages and places of a larger whole. */
export type ContentsGroup = {
  title: string;
  path: string;
  isCurrent: boolean;
  /** of the current group; the others are a link away */
  links: readonly PageLink[];
};

export type FilterForm = {
  action: string;
  label: string;
  submit: string;
  /** the second button that sends it, among the folded fields */
  apply?: string;
  /** attributes that make it a tool for an agent in the browser */
  attributes?: Readonly<Record<string, string>>;
  fields: readonly Field[];
  /** path without any filter; null when none is set */
  reset: string | null;
  /** kept in the address besides the fields */
  hidden?: Readonly<Record<string, string>>;
  /** whether its button is not the first thing to do on the page */
  isSecondary?: boolean;
};

export type Field = {
  name: string;
  label: string;
  /** its accepted values, as a sentence */
  description: string;
  value: string;
  /** the choices of a select; without them, a text field */
  options?: readonly { value: string; label: string }[];
  /** the choices of check boxes, of which several count together */
  checks?: readonly { value: string; label: string; isChosen: boolean }[];
  /** links that choose several of them at once */
  shortcuts?: readonly PageLink[];
  input?: "search" | "number" | "decimal" | "amount" | "code";
  /** the heading of a range; its two ends follow each other */
  range?: string | undefined;
  /** below the field: what to write, or what is wrong with the value */
  hint?: { text: string; isProblem: boolean };
  /** folded away with the others of its kind */
  isExtra?: boolean;
  attributes?: Readonly<Record<string, string>>;
};
