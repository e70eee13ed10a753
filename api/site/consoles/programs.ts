/** The programs of the consoles: GraphiQL, and Swagger UI over the served description. @module */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { PATHS } from "../../http/links.ts";
import { fact, facts, links, linkTo, section, snippet } from "../blocks.ts";
import type { QueryLimits } from "../dependencies.ts";
import { SITE_PATHS } from "../paths.ts";
import { code, text } from "../value.ts";
import { type ConsoleFiles, type ConsolePage, ownFile } from "./console.ts";

export function graphiqlPage(publicUrl: string, limits: QueryLimits): ConsolePage {
  const endpoint = publicUrl + SITE_PATHS.graphql;
  return {
    path: SITE_PATHS.graphql,
    title: "GraphQL",
    description: "The market in GraphQL: a console to write queries in, and the schema.",
    sections: [
      section("asking", null, [
        facts("list", [
          fact("endpoint", "Endpoint", code(endpoint), "POST a query as JSON, or GET it as ?query=…"),
          fact(
            "limits",
            "Limits of a query",
            text(`${limits.tokens} tokens, ${limits.depth} levels, ${limits.aliases} aliases`),
          ),
        ]),
        snippet({
          label: "The schema",
          language: "sh",
          text: `curl -s -H 'Accept: text/plain' ${endpoint}`,
        }),
        links([
          linkTo("For developers", SITE_PATHS.developers, "with a query to paste"),
          linkTo("API reference", SITE_PATHS.reference, "the same data over REST"),
        ]),
      ]),
    ],
    console: { id: "graphiql", label: "GraphiQL" },
  };
}

const START = "YogaGraphiQL.renderYogaGraphiQL(";

/** 9 MB, extracted from the page that the package renders, without the call at its end: our script starts the program. */
export async function graphiqlFiles(): Promise<ConsoleFiles> {
  const page = await renderPage();
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

/** Loading the package takes a third of a second and 40 MB, which a thread gives back afterwards. */
async function renderPage(): Promise<string> {
  const script = `const { parentPort, workerData } = require("node:worker_threads");
    parentPort.postMessage(require(workerData).renderGraphiQL({}).trim());`;
  const workerData = createRequire(import.meta.url).resolve("@graphql-yoga/render-graphiql");
  const thread = new Worker(script, { eval: true, workerData });
  // An error in the thread rejects.
  const [page] = await once(thread, "message");
  return String(page);
}

/** @throws when the package renders an unexpected page */
function between(page: string, start: string, end: string): string {
  const from = page.indexOf(start);
  const to = page.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`GraphiQL's page has no ${start} before ${end}`);
  return page.slice(from + start.length, to);
}

/** Node's own resolution: Ponder's loader would look for modules, and these are files. */
const { resolve } = createRequire(import.meta.url);

export function referencePage(publicUrl: string): ConsolePage {
  return {
    path: SITE_PATHS.reference,
    title: "API reference",
    description: "Every operation of the read interface, to read and to try in a browser.",
    sections: [
      section("description", null, [
        facts("list", [fact("baseUrl", "Base URL", code(`${publicUrl}/v1`))]),
        links([
          linkTo(
            "The description in OpenAPI 3.1",
            PATHS.openApi,
            "the source of this reference, for programs and generators",
          ),
          linkTo("The operations in words", SITE_PATHS.developers, "with snippets to paste"),
        ]),
      ]),
    ],
    console: { id: "reference", label: "Reference" },
  };
}

export async function referenceFiles(): Promise<ConsoleFiles> {
  const library = (name: string) => readFile(resolve(`swagger-ui-dist/${name}`));
  return {
    styles: [
      ["swagger-ui.css", await library("swagger-ui.css")],
      ["reference.css", await ownFile("reference.css")],
    ],
    scripts: [
      ["swagger-ui-bundle.js", await library("swagger-ui-bundle.js")],
      ["reference.js", await ownFile("reference.js")],
    ],
  };
}
