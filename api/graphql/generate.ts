/**
 * The text of `schema.graphql`: the schema of a service that names no persons.
 * @module
 */
import { printSchema } from "./graphql-js.ts";
import { createSchema } from "./schema.ts";

export function sdlText(): string {
  return `${printSchema(createSchema({ exposeAccounts: false }))}\n`;
}
