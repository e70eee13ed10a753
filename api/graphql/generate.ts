/**
 * Writes `schema.graphql`, the schema of a service that names no persons, from the types; with `--check`, fails when
 * the file is not current.
 *
 *     node --import tsx api/graphql/generate.ts [--check]
 * @module
 */
import { fileURLToPath } from "node:url";
import { keepCurrent } from "../generated-file.ts";
import { printSchema } from "./packages.ts";
import { createSchema } from "./schema.ts";

const FILE = fileURLToPath(new URL("../../schema.graphql", import.meta.url));

/** The schema in the language of GraphQL. */
export function sdlText(): string {
  return `${printSchema(createSchema({ exposeAccounts: false }))}\n`;
}

keepCurrent({ module: import.meta.url, file: FILE, text: sdlText });
