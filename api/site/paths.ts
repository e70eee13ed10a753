/**
 * Where the pages are.
 * @module
 */
import { markdownPath, PATHS } from "../http/links.ts";

export const SITE_PATHS = {
  board: "/",
  listings: "/listings",
  originators: "/originators",
  knowledge: "/knowledge",
  developers: "/developers",
  system: "/system",
  reference: PATHS.reference,
  graphql: PATHS.graphql,
  markdownOf: markdownPath,
} as const;

/**
 * Where an address leads that people made by hand, shortened or with a slash at its end; null for any other. Whether a
 * page is there is another question.
 */
export function meantBy(pathname: string): string | null {
  const trimmed = pathname.replace(/(?<=[^/])\/+$/, "");
  if (trimmed === "/md") return markdownPath(SITE_PATHS.board);
  const { path, isMarkdown } = addressOf(trimmed);
  if (path === SITE_PATHS.listings) return isMarkdown ? markdownPath(SITE_PATHS.board) : SITE_PATHS.board;
  return trimmed === pathname ? null : trimmed;
}

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
