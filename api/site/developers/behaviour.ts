/**
 * What holds for all interfaces: where else they are described, how fresh they are, what goes wrong.
 * @module
 */
import { PATHS } from "../../http/links.ts";
import type { Section } from "../page.ts";
import { SITE_PATHS } from "../paths.ts";
import { text } from "../value.ts";
import { ERRORS, limitFacts } from "./errors.ts";
import { otherTables, type Parts, paragraph, snippet } from "./parts.ts";

export function filesSection({ operations }: Parts): Section {
  return {
    id: "files",
    title: "Files that lead to all this",
    blocks: [
      {
        kind: "links",
        links: [
          {
            text: "llms.txt",
            href: PATHS.llms,
            note: "an index of the site for language models, with the knowledge base",
          },
          { text: "API catalog", href: PATHS.apiCatalog, note: "the interfaces, as a linkset" },
          { text: "AI catalog", href: PATHS.aiCatalog, note: "the tool server and the skills, for agents" },
          { text: "Agent skills", href: PATHS.skills, note: "each with the digest of its bytes" },
          { text: "Sitemap", href: PATHS.sitemapXml, note: "every page" },
        ],
      },
      paragraph(
        "Every page is there as Markdown too: ask for text/markdown, put .md behind its path, or /md before it.",
      ),
      ...otherTables(operations),
    ],
  };
}

export function freshnessSection({ snippets }: Parts): Section {
  return {
    id: "freshness",
    title: "Freshness and caching",
    blocks: [
      {
        kind: "facts",
        look: "list",
        facts: [
          {
            key: "indexedBlock",
            label: "X-Indexed-Block",
            value: text("the block that the answer is as of"),
          },
          { key: "indexedAt", label: "X-Indexed-At", value: text("the time of that block") },
          {
            key: "etag",
            label: "ETag",
            value: text("the same for as long as the answer is"),
            note: "Send it back in If-None-Match: 304 says that nothing has changed.",
          },
          {
            key: "cacheControl",
            label: "Cache-Control",
            value: text("one second for the market, an hour for files"),
          },
        ],
      },
      paragraph(
        "The newest events can still be undone by a reorganisation of the chain: they are pending, then final.",
      ),
      snippet(snippets.current),
      {
        kind: "links",
        links: [
          { text: "Health", href: PATHS.health, note: "for programs" },
          { text: "System", href: SITE_PATHS.system, note: "the same for people" },
        ],
      },
    ],
  };
}

export function errorsSection({ queryLimits, snippets }: Parts): Section {
  return {
    id: "errors",
    title: "Errors and limits",
    blocks: [
      paragraph(
        "An error is application/problem+json (RFC 9457): code is for programs, detail says what was wrong with the request, requestId is that of X-Request-Id. Tools answer a mistake in their arguments with a sentence of advice.",
      ),
      { kind: "table", table: ERRORS },
      snippet(snippets.error),
      { kind: "facts", look: "grid", facts: limitFacts(queryLimits) },
    ],
  };
}
