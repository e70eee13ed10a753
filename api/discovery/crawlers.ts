/**
 * What crawlers read: which pages there are, and that all of them may be used.
 * @module
 */
import { PATHS, TYPES } from "./links.ts";
import type { Page } from "./pages.ts";
import { PLAIN_TYPE, type PublishedFile, textBody } from "./published.ts";

/** Canonical pages alone, none of their other forms. */
export function crawlerFiles(pages: readonly Page[], publicUrl: string): PublishedFile[] {
  return [
    { path: PATHS.sitemapXml, body: textBody(TYPES.xml, sitemapXml(pages, publicUrl)) },
    {
      path: PATHS.sitemapText,
      body: textBody(PLAIN_TYPE, pages.map(({ path }) => `${publicUrl}${path}\n`).join("")),
    },
    { path: PATHS.robots, body: textBody(PLAIN_TYPE, robotsText(publicUrl)) },
  ];
}

/** Paths and dates have no character that XML gives a meaning. */
function sitemapXml(pages: readonly Page[], publicUrl: string): string {
  const urls = pages.map(
    ({ path, updated }) => `  <url><loc>${publicUrl}${path}</loc><lastmod>${updated}</lastmod></url>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    "</urlset>",
    "",
  ].join("\n");
}

/** One group for all: a group of its own would take a crawler out of what the others are told. */
function robotsText(publicUrl: string): string {
  return `User-agent: *
Content-Signal: search=yes, ai-input=yes, ai-train=yes
Allow: /

Sitemap: ${publicUrl}${PATHS.sitemapXml}
Sitemap: ${publicUrl}${PATHS.sitemapText}
Agentmap: ${publicUrl}${PATHS.ard}
`;
}
