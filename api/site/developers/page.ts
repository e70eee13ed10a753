/**
 * The page for developers: where each interface is, and what to paste to begin. http.md, "Pages".
 * @module
 */

import { PATHS } from "../../http/links.ts";
import type { SiteDependencies } from "../dependencies.ts";
import type { Page, Section } from "../page.ts";
import { CRUMBS, SITE_PATHS } from "../paths.ts";
import { knowledgeUpdated } from "../updated.ts";
import { code, text } from "../value.ts";
import { errorsSection, filesSection, freshnessSection } from "./behaviour.ts";
import { clientSection, graphqlSection, restSection, toolsSection } from "./interfaces.ts";
import { describeOperations } from "./operations.ts";
import { type Parts, REFERENCE, snippet } from "./parts.ts";
import { snippetsOf } from "./snippets.ts";

/** The page; it changes only with the service. */
export function developersPage({
  site: { publicUrl },
  knowledge,
  toolServer,
  queryLimits,
  description,
}: Pick<SiteDependencies, "site" | "knowledge" | "toolServer" | "queryLimits" | "description">): Page {
  const operations = describeOperations(description, REFERENCE);
  const snippets = snippetsOf(publicUrl, toolServer.name);
  const parts: Parts = { publicUrl, toolServer, queryLimits, operations, snippets };
  return {
    path: SITE_PATHS.developers,
    title: "For developers",
    description:
      "Where the interfaces of this service are, with something to paste for each: no key, no account.",
    updated: knowledgeUpdated(knowledge),
    crumbs: [CRUMBS.board],
    sections: [
      startSection(parts),
      restSection(parts),
      clientSection(parts),
      toolsSection(parts),
      graphqlSection(parts),
      filesSection(parts),
      freshnessSection(parts),
      errorsSection(parts),
    ],
    isLive: false,
  };
}

function startSection({ publicUrl, snippets }: Parts): Section {
  return {
    id: "start",
    title: "Start here",
    blocks: [
      {
        kind: "facts",
        look: "list",
        facts: [
          { key: "baseUrl", label: "Base URL", value: code(`${publicUrl}/v1`) },
          {
            key: "credentials",
            label: "Key or account",
            value: text("none"),
            note: "Everything here is public.",
          },
          {
            key: "userAgent",
            label: "User-Agent",
            value: text("say who you are"),
            note: "Asked for, never required.",
          },
          {
            key: "amounts",
            label: "Amounts",
            value: text("strings in base units, with 18 decimals"),
            note: "Read them with a big-integer type: a floating-point number cannot hold them.",
          },
          { key: "rates", label: "Rates", value: text("integers in basis points"), note: "1250 is 12.5 %." },
          { key: "times", label: "Times", value: text("ISO 8601 in UTC"), note: "They are the chain's." },
          {
            key: "ids",
            label: "On-chain ids",
            value: text("unique only together with their escrow address"),
            note: "Name a raise by its publicId, which never changes.",
          },
        ],
      },
      snippet(snippets.listings),
      {
        kind: "links",
        links: [
          { text: "Knowledge base", href: PATHS.knowledge, note: "what the words mean and which rules hold" },
          { text: "How agents authenticate", href: PATHS.auth, note: "not at all, and why" },
        ],
      },
    ],
  };
}
