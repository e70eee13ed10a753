/** @module The section of the front page for agents: links to the data of the board. */
import type { PublicSettings } from "../../../config/public-settings.ts";
import { PATHS } from "../../http/links.ts";
import { handOver } from "../../market/sentences.ts";
import { fact, facts, links, linkTo, paragraph, section } from "../blocks.ts";
import type { ToolServer } from "../dependencies.ts";
import type { Section } from "../page.ts";
import { SITE_PATHS } from "../paths.ts";
import { code } from "../value.ts";

export function forPrograms(
  publicSettings: Pick<PublicSettings, "publicUrl" | "appUrl">,
  { tools }: Pick<ToolServer, "tools">,
): Section {
  return section("programs", "For programs and agents", [
    paragraph(
      `Nothing here needs an account, a key or a payment, and nothing here can move money. To take part, a person signs with their own wallet. An agent can read, recommend, and ${handOver(publicSettings)}.`,
    ),
    facts("list", [
      fact(
        "toolEndpoint",
        "Tools over MCP",
        code(`POST ${publicSettings.publicUrl}${PATHS.tools}`),
        "streamable HTTP without authentication",
      ),
      ...tools.map(({ name, title }) => fact(name, title, code(name))),
    ]),
    links([
      linkTo("Server card", PATHS.serverCard, "for MCP clients"),
      linkTo("Raises as JSON", PATHS.listings, "every visible listing, and what the desk does"),
      linkTo("Businesses as JSON", "/v1/originators", "each with its grade and its raises"),
      linkTo("Statistics", "/v1/stats", "the totals above"),
      linkTo("OpenAPI", PATHS.openApi, "describes every interface"),
      linkTo("GraphQL", PATHS.graphql, "related data in one request"),
      linkTo("API catalog", PATHS.apiCatalog, "lists the interfaces"),
      linkTo("Developers", SITE_PATHS.developers, "reference and snippets to paste"),
      linkTo("Knowledge base", SITE_PATHS.knowledge, "terms and rules explained"),
      linkTo("Skills for agents", PATHS.skills, "made from the knowledge base"),
      linkTo("Manifest for agents", PATHS.aiCatalog, "the tool server and the skills"),
      linkTo("Authentication for agents", PATHS.auth, "none needed"),
    ]),
  ]);
}
