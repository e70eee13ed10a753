/**
 * Sections about all interfaces: discovery files and freshness.
 * @module
 */
import { PATHS } from "../../http/links.ts";
import { fact, facts, links, linkTo, paragraph, section, snippet } from "../blocks.ts";
import type { Section } from "../page.ts";
import { SITE_PATHS } from "../paths.ts";
import { text } from "../value.ts";
import { otherOperations } from "./operations.ts";
import type { DevelopersContext } from "./snippets.ts";

export function filesSection({ operations }: DevelopersContext): Section {
  const files = section("files", "Files and pages", [
    links([
      linkTo("llms.txt", PATHS.llms, "an index of the site for language models, and the knowledge base"),
      linkTo("API catalog", PATHS.apiCatalog, "the interfaces, as a linkset"),
      linkTo("AI catalog", PATHS.aiCatalog, "the tool server and the skills, for agents"),
      linkTo("Agent skills", PATHS.skills, "each with its digest"),
      linkTo("Sitemap", PATHS.sitemapXml, "every page"),
    ]),
    paragraph(
      "Every page is also available as Markdown: accept text/markdown, append .md to its path, or put /md before it.",
    ),
    ...otherOperations(operations),
  ]);
  return { ...files, fold: "llms.txt, catalogs, sitemap, Markdown" };
}

export function freshnessSection({ snippets }: DevelopersContext): Section {
  const freshness = section("freshness", "Freshness and caching", [
    facts("list", [
      fact("indexedBlock", "X-Indexed-Block", text("the block that the response is as of")),
      fact("indexedAt", "X-Indexed-At", text("the time of that block")),
      fact(
        "etag",
        "ETag",
        text("the same as long as the response is"),
        "Send it back in If-None-Match: a 304 means that nothing has changed.",
      ),
    ]),
    paragraph(
      "Recent events can still be reverted by a reorganisation of the chain: they are pending first, then final.",
    ),
    snippet(snippets.current),
    links([linkTo("Health", PATHS.health, "as JSON"), linkTo("System", SITE_PATHS.system, "in words")]),
  ]);
  return { ...freshness, fold: "Headers and conditional requests" };
}

export function limitsSection(): Section {
  return section("limits", "Limits and errors", [
    paragraph("No key. What is limited, and every error with what to do about it:"),
    { kind: "action", link: linkTo("Limits and errors", SITE_PATHS.limits) },
  ]);
}
