/** @module The type of a discovery file and its inputs: fixed paths, bytes that change only with the service itself. */
import { marked } from "marked";
import type { Logger } from "../../config/log.ts";
import type { PublicSettings } from "../../config/public-settings.ts";
import { type Body, createBody } from "../http/etagged-body.ts";
import type { Knowledge, KnowledgePage } from "../knowledge/load.ts";

export type ToolServer = {
  name: string;
  title: string;
  revisions: readonly string[];
  tools: readonly { name: string; description: string }[];
};

/** A page of the site in Markdown, by its path from the root. */
type PageEntry = { title: string; note: string; path: string };

export type DiscoveryDependencies = {
  /** the site's entry pages, for llms.txt */
  pages: readonly PageEntry[];
  knowledge: Knowledge;
  publicSettings: PublicSettings;
  toolServer: ToolServer;
  version: string;
  log: Logger;
};

export type PublishedFile = {
  path: string;
  body: Body;
  /** besides those of every file */
  headers?: Readonly<Record<string, string>>;
};

export const MARKDOWN_TYPE = "text/markdown; charset=utf-8";
export const PLAIN_TYPE = "text/plain; charset=utf-8";

export function textBody(type: string, text: string): Body {
  return createBody(type, Buffer.from(text));
}

/** Indented JSON: people read these files too. */
export function prettyBody(type: string, value: unknown): Body {
  return textBody(type, `${JSON.stringify(value, null, 2)}\n`);
}

/** A page as a chapter of a longer text: its title becomes a level-two heading, its own headings move down a level. */
export function asChapter({ title, markdown }: KnowledgePage): string {
  const body = marked
    .lexer(markdown)
    .map((token) => (token.type === "heading" ? `#${token.raw}` : token.raw))
    .join("");
  return `## ${title}\n\n${body.trim()}\n`;
}
