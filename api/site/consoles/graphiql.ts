/**
 * GraphiQL, for people who write queries.
 * @module
 */
import { LIMITS } from "../../graphql/limits.ts";
import { renderConsole } from "../../graphql/packages.ts";
import { SITE_PATHS } from "../paths.ts";
import { code, text } from "../value.ts";
import { type ConsoleFiles, ownFile } from "./assets.ts";
import type { ConsolePage } from "./index.ts";

export function graphiqlPage(publicUrl: string): ConsolePage {
  const endpoint = publicUrl + SITE_PATHS.graphql;
  return {
    path: SITE_PATHS.graphql,
    title: "GraphQL",
    description: "The market in GraphQL: a console to write queries in, and the schema.",
    sections: [
      {
        id: "asking",
        title: null,
        blocks: [
          {
            kind: "facts",
            look: "list",
            facts: [
              {
                key: "endpoint",
                label: "Endpoint",
                value: code(endpoint),
                note: "POST a query as JSON, or GET it as ?query=…",
              },
              {
                key: "limits",
                label: "Limits of a query",
                value: text(`${LIMITS.tokens} tokens, ${LIMITS.depth} levels, ${LIMITS.aliases} aliases`),
              },
            ],
          },
          {
            kind: "snippet",
            snippet: {
              label: "The schema",
              language: "sh",
              text: `curl -s -H 'Accept: text/plain' ${endpoint}`,
            },
          },
          {
            kind: "links",
            links: [
              { text: "For developers", href: SITE_PATHS.developers, note: "a query to paste" },
              { text: "API reference", href: SITE_PATHS.reference, note: "the same facts by REST" },
            ],
          },
        ],
      },
    ],
    console: { id: "graphiql", label: "GraphiQL" },
  };
}

const START = "YogaGraphiQL.renderYogaGraphiQL(";

/** 9 MB, out of the one page that its package makes: the program that it starts at its end, we start by ourselves. */
export async function graphiqlFiles(): Promise<ConsoleFiles> {
  const page = await renderConsole({});
  const script = between(page, "<script>", START);
  return {
    styles: [
      ["graphiql-bundle.css", between(page, "<style>", "</style>")],
      ["graphiql.css", await ownFile("graphiql.css")],
    ],
    scripts: [
      ["graphiql-bundle.js", script],
      ["graphiql.js", await ownFile("graphiql.js")],
    ],
  };
}

/** @throws when the package makes another page than the one that this was written for */
function between(page: string, start: string, end: string): string {
  const from = page.indexOf(start);
  const to = page.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`GraphiQL's page has no ${start} before ${end}`);
  return page.slice(from + start.length, to);
}
