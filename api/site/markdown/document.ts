/**
 * A page as a Markdown document: frontmatter, title, and the content of the HTML in the same order. http.md, "Pages".
 * @module
 */

import { stripControl } from "../../../config/format/untrusted-text.ts";
import { PATHS } from "../../http/links.ts";
import { frontmatter } from "../../knowledge/frontmatter.ts";
import type { Page } from "../page.ts";
import type { Sync } from "../system/sync.ts";
import { factsMarkdown, linkMarkdown, sectionMarkdown } from "./blocks.ts";
import { escapeLine } from "./escape.ts";

export type MarkdownParameters = {
  page: Page;
  sync: Sync;
  publicUrl: string;
  /** whether llms.txt contains the page in full */
  isInLlms: boolean;
  /** whether it is an error page, without its own address and date */
  isError: boolean;
};

export function documentMarkdown({ page, sync, publicUrl, isInLlms, isError }: MarkdownParameters): string {
  const { path, title, description, updated, badges = [], proof, sections } = page;
  const llms = isInLlms ? "All pages of the knowledge base in one file" : "Index of this site for agents";
  const lead = `> ${escapeLine(description)} ${llms}: [llms.txt](${publicUrl}${PATHS.llms})`;
  const parts = [
    `# ${escapeLine(title)}`,
    lead,
    ...(sync.state === "ok" ? [] : [`> **Note:** ${escapeLine(sync.text)}`]),
    ...(proof === undefined ? [] : [linkMarkdown(proof, publicUrl)]),
    ...(badges.length === 0 ? [] : [factsMarkdown(badges, publicUrl)]),
    ...sections.map((section) => sectionMarkdown(section, publicUrl)),
  ];
  const facts = {
    title: stripControl(title, { keepLineFeeds: false }),
    description: stripControl(description, { keepLineFeeds: false }),
    ...(isError ? {} : { canonical: publicUrl + path, last_updated: updated }),
  };
  // JSON does not escape line separators, and YAML 1.1 ends a line at them.
  const head = frontmatter(facts)
    .replace(/\u2028/g, "\\u2028")
    .replace(/\u2029/g, "\\u2029");
  return `${head}\n${parts.join("\n\n")}\n`;
}
