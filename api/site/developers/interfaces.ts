/**
 * The interfaces, each with its operations and snippets to paste.
 * @module
 */
import { PATHS } from "../../http/links.ts";
import { fact, facts, links, linkTo, paragraph, section, snippet, table } from "../blocks.ts";
import type { Section } from "../page.ts";
import { SITE_PATHS } from "../paths.ts";
import { code, text } from "../value.ts";
import { operationsOf, TAGS } from "./operations.ts";
import type { DevelopersContext } from "./snippets.ts";

export function restSection({ operations, snippets }: DevelopersContext): Section {
  return section("rest", "HTTP", [
    paragraph("All operations, each linked to the reference, where it is explained and can be tried."),
    { kind: "action", link: linkTo("Open the API reference", SITE_PATHS.reference) },
    ...operationsOf(operations, TAGS.rest),
    snippet(snippets.events),
    snippet(snippets.csv),
    links([linkTo("OpenAPI 3.1", PATHS.openApi, "for tools and generators")]),
  ]);
}

export function clientSection({ snippets }: DevelopersContext): Section {
  return section("client", "TypeScript", [
    paragraph(
      "The source code of this service includes a client: paths, filters and responses are typed, pages are iterated, errors are thrown, amounts stay strings.",
    ),
    snippet(snippets.client),
  ]);
}

export function toolsSection({ publicUrl, toolServer, operations, snippets }: DevelopersContext): Section {
  return section("mcp", "Tools for agents (MCP)", [
    facts("list", [
      fact("endpoint", "Endpoint", code(publicUrl + PATHS.tools), "/mcp is an alias."),
      fact("transport", "Transport", text("streamable HTTP, without a session"), "Answers are JSON."),
    ]),
    table({
      caption: "The tools, all read-only; in a visitor's browser the board adds its form, show_raises",
      items: toolServer.tools,
      keyOf: ({ name }) => name,
      columns: [
        ["name", "Tool", ({ name }) => code(name)],
        ["title", "What it does", ({ title }) => text(title)],
      ],
      empty: "There is none.",
    }),
    snippet(snippets.servers),
    snippet(snippets.inspector),
    snippet(snippets.tool),
    ...operationsOf(operations, TAGS.tools),
    links([linkTo("Server card", PATHS.serverCard, "how clients discover the endpoint")]),
  ]);
}

export function graphqlSection({ publicUrl, operations, snippets }: DevelopersContext): Section {
  return section("graphql", "GraphQL", [
    facts("list", [fact("endpoint", "Endpoint", code(publicUrl + PATHS.graphql))]),
    snippet(snippets.query),
    snippet(snippets.graphql),
    ...operationsOf(operations, TAGS.graphql),
    links([linkTo("GraphiQL", PATHS.graphql, "the schema, and a console to try queries")]),
  ]);
}
