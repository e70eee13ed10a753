/**
 * The interfaces, each with its operations and something to paste.
 * @module
 */
import { PATHS } from "../../http/links.ts";
import type { Section } from "../page.ts";
import { code, text } from "../value.ts";
import { type Parts, paragraph, REFERENCE, snippet, TAGS, tables } from "./parts.ts";

export function restSection({ operations, snippets }: Parts): Section {
  return {
    id: "rest",
    title: "HTTP",
    blocks: [
      paragraph(
        "Every operation, each with its place in the reference, where it is explained and can be tried.",
      ),
      { kind: "action", link: { text: "Open the API reference", href: REFERENCE } },
      ...tables(operations, TAGS.rest),
      snippet(snippets.events),
      snippet(snippets.csv),
      {
        kind: "links",
        links: [
          { text: "OpenAPI 3.1", href: PATHS.openApi, note: "the description, for tools and generators" },
        ],
      },
    ],
  };
}

export function clientSection({ snippets }: Parts): Section {
  return {
    id: "client",
    title: "TypeScript",
    blocks: [
      paragraph(
        "The source code of this service has a client: paths, filters and answers are typed, pages are walked, errors are thrown, amounts stay strings.",
      ),
      snippet(snippets.client),
    ],
  };
}

export function toolsSection({ publicUrl, toolServer, operations, snippets }: Parts): Section {
  return {
    id: "mcp",
    title: "Tools for agents (MCP)",
    blocks: [
      {
        kind: "facts",
        look: "list",
        facts: [
          {
            key: "endpoint",
            label: "Endpoint",
            value: code(publicUrl + PATHS.tools),
            note: "/mcp is the same.",
          },
          {
            key: "transport",
            label: "Transport",
            value: text("streamable HTTP, without a session"),
            note: "Answers are JSON.",
          },
        ],
      },
      {
        kind: "table",
        table: {
          caption:
            "The tools, all of which only read; in a visitor's browser the board adds its form, show_raises",
          columns: [
            { key: "name", label: "Tool" },
            { key: "title", label: "What it does" },
          ],
          rows: toolServer.tools.map(({ name, title }) => ({ key: name, cells: [code(name), text(title)] })),
          empty: "There is none.",
        },
      },
      snippet(snippets.servers),
      snippet(snippets.inspector),
      snippet(snippets.tool),
      ...tables(operations, TAGS.tools),
      {
        kind: "links",
        links: [
          { text: "Server card", href: PATHS.serverCard, note: "how a client finds the endpoint by itself" },
        ],
      },
    ],
  };
}

export function graphqlSection({ publicUrl, operations, snippets }: Parts): Section {
  return {
    id: "graphql",
    title: "GraphQL",
    blocks: [
      {
        kind: "facts",
        look: "list",
        facts: [{ key: "endpoint", label: "Endpoint", value: code(publicUrl + PATHS.graphql) }],
      },
      snippet(snippets.query),
      snippet(snippets.graphql),
      ...tables(operations, TAGS.graphql),
      {
        kind: "links",
        links: [{ text: "GraphiQL", href: PATHS.graphql, note: "the schema, and a place to try queries" }],
      },
    ],
  };
}
