/**
 * The reference implementation of GraphQL, by the file that Node takes for it: the one that `packages.ts` is about.
 * @module
 */
export * from "graphql/index.js";
