/**
 * What somebody reads who opens the endpoint without a query, and not in a browser: how to ask, and the schema.
 * @module
 */
import { type Body, createBody } from "../http/body.ts";
import { LIMITS } from "./limits.ts";
import { type GraphQLSchema, printSchema } from "./packages.ts";

/** The description of the endpoint of a service at `publicUrl`. */
export function describeEndpoint(publicUrl: string, schema: GraphQLSchema): Body {
  const text = `# Raisebook in GraphQL: public, read-only, without authentication.
#
# Send a query with POST as JSON, {"query": "…", "variables": {…}}, or with GET as ?query=…, to ${publicUrl}/graphql
# A browser gets a console to try queries in. Limits of a query: ${LIMITS.tokens} tokens, ${LIMITS.depth} levels,
# ${LIMITS.aliases} aliases, ${LIMITS.cost} points of cost (about one for each value of the answer).
#
# The schema:

${printSchema(schema)}
`;
  return createBody("text/plain; charset=utf-8", Buffer.from(text));
}
