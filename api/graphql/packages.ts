/**
 * Packages loaded by Node itself: graphql-js, those around it, and the reader of the descriptions in zod schemas. Vite, in
 * which Ponder runs this, would give each its own copy. Copies of graphql-js do not know each other's types, nor copies of the
 * reader each other's descriptions.
 * @module
 */
import { createRequire } from "node:module";

export * from "graphql/index.js";

const load = createRequire(import.meta.url);

export const { createYoga, createSchema: createExecutableSchema } = load(
  "graphql-yoga",
) as typeof import("graphql-yoga");
export const { getComplexity } = load(
  "graphql-query-complexity",
) as typeof import("graphql-query-complexity");
export const { maxAliasesRule } = load(
  "@escape.tech/graphql-armor-max-aliases",
) as typeof import("@escape.tech/graphql-armor-max-aliases");
export const { maxDepthRule } = load(
  "@escape.tech/graphql-armor-max-depth",
) as typeof import("@escape.tech/graphql-armor-max-depth");
export const { maxTokensPlugin } = load(
  "@escape.tech/graphql-armor-max-tokens",
) as typeof import("@escape.tech/graphql-armor-max-tokens");
export const { getOpenApiMetadata } = load(
  "@asteasolutions/zod-to-openapi",
) as typeof import("@asteasolutions/zod-to-openapi");
