/**
 * The GraphQL face: the shapes of REST, typed and linked, several things in one question. Every value is of the same
 * market as everywhere else.
 * @module
 */
import type { Hono } from "hono";
import type { GraphqlContext, GraphqlDependencies } from "./context.ts";
import { describeEndpoint } from "./description.ts";
import { type Answered, createEndpoint } from "./endpoint.ts";
import { createEventLoader } from "./event-loader.ts";
import { limitPlugins } from "./limits.ts";
import { outcomePlugin } from "./outcome.ts";
import { createYoga } from "./packages.ts";
import { createSchema } from "./schema.ts";

/** Where yoga believes that it stands. What comes from outside is read before, and never by it. */
const INSIDE = "http://127.0.0.1/graphql";

/** The endpoint over the service's market. */
export function createGraphql(deps: GraphqlDependencies): Hono {
  const schema = createSchema(deps);
  const yoga = createYoga<GraphqlContext>({
    schema,
    plugins: [...limitPlugins(), outcomePlugin(deps.log)],
    graphqlEndpoint: "/graphql",
    // `outcomePlugin` masks, because it knows the request.
    maskedErrors: false,
    // Kept documents would be as many and as large as strangers like.
    parserAndValidationCache: false,
    logging: false,
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
  });

  return createEndpoint({
    description: describeEndpoint(deps.site.publicUrl, schema),
    async ask(question, type, requestId): Promise<Answered> {
      const snapshot = deps.feed.current();
      const outcome = { hasErrors: false };
      const context: GraphqlContext = {
        deps,
        snapshot,
        events: createEventLoader(deps.ledger),
        made: new WeakMap(),
        requestId,
        outcome,
      };
      const response = await yoga.fetch(
        INSIDE,
        {
          method: "POST",
          headers: { "Content-Type": "application/json", Accept: type },
          body: JSON.stringify(question),
        },
        context,
      );
      return {
        status: response.status,
        retryAfter: response.headers.get("Retry-After"),
        text: await response.text(),
        hasErrors: outcome.hasErrors,
        snapshot,
      };
    },
  });
}
