/**
 * What all interfaces have in common: discovery files, freshness, errors and limits.
 * @module
 */
import { PATHS } from "../../http/links.ts";
import { fact, facts, links, linkTo, paragraph, section, snippet } from "../blocks.ts";
import type { Section } from "../page.ts";
import { SITE_PATHS } from "../paths.ts";
import { text } from "../value.ts";
import { errorsTable, limitFacts } from "./errors.ts";
import { otherOperations } from "./operations.ts";
import type { DevelopersContext } from "./snippets.ts";

export function filesSection({ operations }: DevelopersContext): Section {
  return section("files", "Files that lead to all this", [
    links([
      linkTo("llms.txt", PATHS.llms, "an index of the site for language models, with the knowledge base"),
      linkTo("API catalog", PATHS.apiCatalog, "the interfaces, as a linkset"),
      linkTo("AI catalog", PATHS.aiCatalog, "the tool server and the skills, for agents"),
      linkTo("Agent skills", PATHS.skills, "each with the digest of its bytes"),
      linkTo("Sitemap", PATHS.sitemapXml, "every page"),
    ]),
    paragraph(
      "Every page is there as Markdown too: ask for text/markdown, put .md behind its path, or /md before it.",
    ),
    ...otherOperations(operations),
  ]);
}

export function freshnessSection({ snippets }: DevelopersContext): Section {
  return section("freshness", "Freshness and caching", [
    facts("list", [
      fact("indexedBlock", "X-Indexed-Block", text("the block that the answer is as of")),
      fact("indexedAt", "X-Indexed-At", text("the time of that block")),
      fact(
        "etag",
        "ETag",
        text("the same for as long as the answer is"),
        "Send it back in If-None-Match: 304 says that nothing has changed.",
      ),
      fact("cacheControl", "Cache-Control", text("one second for the market, an hour for files")),
    ]),
    paragraph(
      "The newest events can still be undone by a reorganisation of the chain: they are pending, then final.",
    ),
    snippet(snippets.current),
    links([
      linkTo("Health", PATHS.health, "for programs"),
      linkTo("System", SITE_PATHS.system, "the same for people"),
    ]),
  ]);
}

export function errorsSection({ queryLimits, snippets }: DevelopersContext): Section {
  return section("errors", "Errors and limits", [
    paragraph(
      "An error is application/problem+json (RFC 9457): code is for programs, detail says what was wrong with the request, requestId is that of X-Request-Id. Tools answer a mistake in their arguments with a sentence of advice.",
    ),
    errorsTable(),
    snippet(snippets.error),
    facts("grid", limitFacts(queryLimits)),
  ]);
}
