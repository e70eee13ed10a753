/**
 * A file at a fixed path whose bytes change only with the service itself, and what it is made from.
 * @module
 */
import { marked } from "marked";
import type { Log } from "../../config/log.ts";
import { type Body, createBody } from "../http/body.ts";
import type { Knowledge, KnowledgePage } from "../knowledge/load.ts";
import type { Site } from "../market/listing.ts";

/** The tool server, as far as these files say something about it. */
export type ToolServer = {
  name: string;
  title: string;
  /** of the protocol */
  revisions: readonly string[];
  tools: readonly { name: string; description: string }[];
};

/** A page of the site in Markdown; its path is from the root. */
export type PageEntry = { title: string; note: string; path: string };

export type DiscoveryDependencies = {
  /** where a reader of the site begins */
  pages: readonly PageEntry[];
  knowledge: Knowledge;
  site: Site;
  toolServer: ToolServer;
  /** of the service */
  version: string;
  log: Log;
};

export type PublishedFile = {
  path: string;
  body: Body;
  /** beside those that every file has */
  headers?: Readonly<Record<string, string>>;
};

export const MARKDOWN_TYPE = "text/markdown; charset=utf-8";
export const PLAIN_TYPE = "text/plain; charset=utf-8";

export function textBody(type: string, text: string): Body {
  return createBody(type, Buffer.from(text));
}

/** JSON with line breaks: these files are read by people too. */
export function prettyBody(type: string, value: unknown): Body {
  return textBody(type, `${JSON.stringify(value, null, 2)}\n`);
}

/** A page as a part of a longer text: its title is a heading of the second level, its own ones stand a level deeper. */
export function asChapter({ title, markdown }: KnowledgePage): string {
  const body = marked
    .lexer(markdown)
    .map((token) => (token.type === "heading" ? `#${token.raw}` : token.raw))
    .join("");
  return `## ${title}\n\n${body.trim()}\n`;
}
