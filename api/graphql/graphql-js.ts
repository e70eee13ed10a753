/**
 * The reference implementation of GraphQL, by the one file that the other packages get when Node loads them. A bundler's
 * loader, such as the one that Ponder runs this in, would take another file of the package for `graphql` itself: then
 * there are two copies in the process, and neither knows the other's types.
 * @module
 */
export * from "graphql/index.js";
