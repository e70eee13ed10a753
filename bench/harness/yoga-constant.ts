/** @module The GraphQL library with one constant, in a separate process. */
import { createSchema, createYoga } from "graphql-yoga";
import { serve } from "./serve.ts";
import { answerOwner } from "./worker.ts";

answerOwner(() =>
  serve(
    createYoga({
      schema: createSchema({
        typeDefs: "type Query { constant: String! }",
        resolvers: { Query: { constant: () => "constant" } },
      }),
      ...{ logging: false, graphiql: false, landingPage: false, parserAndValidationCache: false },
    }),
  ),
);
