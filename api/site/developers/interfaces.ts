/**
 * The interfaces, each with its operations and snippets to paste.
 * @module
 */
import { PATHS } from "../../http/links.ts";
import { fact, facts, links, linkTo, paragraph, section, snippet, table } from "../blocks.ts";
import type { Section } from "../page.ts";
import { SITE_PATHS } from "../paths.ts";
import { code, text } from "../value.ts";
import { CLIENT_PATH } from "./client-package.ts";
import { operationsBlock, TAGS } from "./operations.ts";
import type { DevelopersContext } from "./snippets.ts";

export function clientSection({ snippets }: DevelopersContext): Section {
  return section("client", "TypeScript client", [
    paragraph(
      "Installed from this service, without a registry. Paths, filters and responses are typed, pages are iterated, errors are thrown, amounts stay strings.",
    ),
    snippet(snippets.install),
    snippet(snippets.client),
    links([
      linkTo("The package", CLIENT_PATH, "JavaScript with types, for Node 20 or later and for browsers"),
    ]),
  ]);
}

/** A section for each tag of the REST interface; the first says where to try them. */
export function restSections({ operations }: DevelopersContext): Section[] {
  return TAGS.rest.flatMap((name, index) => {
    const tag = operations.get(name);
    if (tag === undefined) return [];
    const isFirst = index === 0;
    return section(name.toLowerCase(), `REST: ${name.toLowerCase()}`, [
      paragraph(tag.description),
      isFirst
        ? paragraph("Open an operation for a request and its response, recorded from the demo's market.")
        : null,
      isFirst
        ? { kind: "action", link: linkTo("Try them in the API reference", SITE_PATHS.reference) }
        : null,
      operationsBlock(tag, { isFirstOpen: isFirst }),
      isFirst ? links([linkTo("OpenAPI 3.1", PATHS.openApi, "for tools and generators")]) : null,
    ]);
  });
}

export function toolsSection({ publicUrl, toolServer, operations, snippets }: DevelopersContext): Section {
  const tools = section("mcp", "Tools for agents (MCP)", [
    facts("list", [
      fact("endpoint", "Endpoint", code(publicUrl + PATHS.tools), "/mcp is an alias."),
      fact("transport", "Transport", text("streamable HTTP, without a session"), "Responses are JSON."),
    ]),
    table({
      caption: "The tools, all read-only; in a visitor's browser the board adds its form, show_raises",
      items: toolServer.tools,
      keyOf: ({ name }) => name,
      columns: [
        ["name", "Tool", ({ name }) => code(name)],
        ["title", "What it does", ({ title }) => text(title)],
      ],
      empty: "No tools.",
    }),
    snippet(snippets.servers),
    snippet(snippets.inspector),
    ...operationsOf(operations, TAGS.tools),
    links([linkTo("Server card", PATHS.serverCard, "how clients discover the endpoint")]),
  ]);
  return { ...tools, fold: "Endpoint, tools and calls" };
}

export function graphqlSection({ publicUrl, operations, snippets }: DevelopersContext): Section {
  const graphql = section("graphql", "GraphQL", [
    facts("list", [fact("endpoint", "Endpoint", code(publicUrl + PATHS.graphql))]),
    snippet(snippets.query),
    ...operationsOf(operations, TAGS.graphql),
    links([linkTo("GraphiQL", PATHS.graphql, "the schema, and a console to try queries")]),
  ]);
  return { ...graphql, fold: "Endpoint and queries" };
}

function operationsOf(operations: DevelopersContext["operations"], tags: readonly string[]) {
  return tags.flatMap((name) => {
    const tag = operations.get(name);
    return tag === undefined ? [] : [operationsBlock(tag)];
  });
}
