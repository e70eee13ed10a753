/**
 * The API reference: Swagger UI over the served description.
 * @module
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { PATHS } from "../../http/links.ts";
import { fact, facts, links, linkTo, section } from "../blocks.ts";
import { SITE_PATHS } from "../paths.ts";
import { code } from "../value.ts";
import { type ConsoleFiles, type ConsolePage, ownFile } from "./console.ts";

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

/** 1.7 MB. */
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
