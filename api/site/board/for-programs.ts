/**
 * Where programs read what the board shows: the part of the front page that an agent goes by.
 * @module
 */
import { PATHS } from "../../http/links.ts";
import type { Site } from "../../market/listing.ts";
import { handOver } from "../../market/sentences.ts";
import type { ToolServer } from "../dependencies.ts";
import type { Section } from "../page.ts";
import { SITE_PATHS } from "../paths.ts";
import { code } from "../value.ts";

export function forPrograms(
  site: Pick<Site, "publicUrl" | "appUrl">,
  { tools }: Pick<ToolServer, "tools">,
): Section {
  return {
    id: "programs",
    title: "For programs and agents",
    blocks: [
      {
        kind: "paragraph",
        text: `Nothing here needs an account, a key or a payment, and nothing here can move money. To take part, a person signs with their own wallet. An agent can read, recommend, and ${handOver(site)}.`,
      },
      {
        kind: "facts",
        look: "list",
        facts: [
          {
            key: "toolEndpoint",
            label: "Tools over MCP",
            value: code(`POST ${site.publicUrl}${PATHS.tools}`),
            note: "streamable HTTP without authentication",
          },
          ...tools.map(({ name, title }) => ({ key: name, label: title, value: code(name) })),
        ],
      },
      {
        kind: "links",
        links: [
          { text: "Card of the tool server", href: PATHS.serverCard, note: "for MCP clients" },
          {
            text: "Raises as JSON",
            href: PATHS.listings,
            note: "every visible listing, and what the desk does",
          },
          { text: "Businesses as JSON", href: "/v1/originators", note: "each with its grade and its raises" },
          { text: "Statistics", href: "/v1/stats", note: "the totals above" },
          { text: "OpenAPI", href: PATHS.openApi, note: "describes all of it" },
          { text: "GraphQL", href: PATHS.graphql, note: "several things in one question" },
          { text: "API catalog", href: PATHS.apiCatalog, note: "lists the interfaces" },
          { text: "Developers", href: SITE_PATHS.developers, note: "reference, and snippets to paste" },
          {
            text: "Knowledge base",
            href: SITE_PATHS.knowledge,
            note: "what the words mean and which rules hold",
          },
          { text: "Skills for agents", href: PATHS.skills, note: "made from the knowledge base" },
          { text: "Manifest for agents", href: PATHS.aiCatalog, note: "the tool server and the skills" },
          { text: "How agents authenticate", href: PATHS.auth, note: "not at all" },
        ],
      },
    ],
  };
}
