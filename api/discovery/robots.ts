/**
 * What crawlers may do: everything. And where the pages are listed.
 * @module
 */
import { PATHS } from "../http/links.ts";
import { PLAIN_TYPE, type PublishedFile, textBody } from "./published.ts";

export function robotsFile(publicUrl: string): PublishedFile {
  return { path: PATHS.robots, body: textBody(PLAIN_TYPE, robotsText(publicUrl)) };
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
