/**
 * graphql-js and the packages around it, loaded by Node itself. The loader that Ponder runs this in would transform the
 * packages and give them a copy of graphql-js of their own, and no copy knows the types of another: every query would fail.
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
