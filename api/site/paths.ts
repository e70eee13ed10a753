/**
 * Where the pages are.
 * @module
 */
import { markdownPath } from "../discovery/links.ts";

export const SITE_PATHS = {
  board: "/",
  listings: "/listings",
  originators: "/originators",
  knowledge: "/knowledge",
  developers: "/developers",
  system: "/system",
  markdownOf: markdownPath,
} as const;

/** A page's canonical path, and whether the address asks for Markdown whatever the reader takes. */
export type Address = { path: string; isMarkdown: boolean };

/**
 * Reads the path of a request: `/md/<path>`, `/md/index` and `<path>.md` are the Markdown of a page.
 * @param pathname still percent-encoded; no page has a character that needs encoding
 */
export function addressOf(pathname: string): Address {
  if (pathname === "/md/index" || pathname === "/index.md") return { path: "/", isMarkdown: true };
  if (/^\/md\/./.test(pathname)) return { path: pathname.slice("/md".length), isMarkdown: true };
  if (pathname.endsWith(".md")) return { path: pathname.slice(0, -".md".length), isMarkdown: true };
  return { path: pathname, isMarkdown: false };
}
