/** @module A GraphQL request: in the URL of a GET, or in the body of a POST. */
import { z } from "@hono/zod-openapi";

/** Levels of lists and objects in the variables. No argument has more than one. */
export const DEEPEST_VARIABLES = 8;
/** Values in the variables, including list items. Each is checked, and each wrong one is explained. */
export const MOST_VARIABLES = 200;

const NO_QUERY = "There is no query.";
/** The message after which clients send the query itself, by the convention of Apollo's automatic persisted queries. */
const HASH_ALONE = "PersistedQueryNotSupported";
const jsonObject = (name: string) =>
  z.record(z.string(), z.unknown(), `The ${name} must be an object of JSON.`).nullable().optional();

/** The parts of a request, described; each error is a sentence. */
export const requestParts = {
  query: z
    .string({ error: ({ input }) => (input == null ? NO_QUERY : "The query must be a text.") })
    .refine((query) => query !== "", NO_QUERY)
    .openapi({
      description: "A query in the language of GraphQL.",
      example: "{ listings(first: 1) { nodes { publicId status raisedAmount } } }",
    }),
  operationName: z
    .string("The operationName must be a text.")
    .openapi({ description: "Name of the operation to run, if the query has several.", example: "Open" }),
};

export const requestSchema = z
  .object(
    {
      query: requestParts.query,
      operationName: requestParts.operationName.nullable().optional(),
      variables: jsonObject("variables")
        .superRefine((variables, context) => {
          const message = excessOf(variables);
          if (message !== null) context.addIssue({ code: "custom", message });
        })
        .openapi({ description: "Values of the query's variables." }),
      extensions: jsonObject("extensions").openapi({
        description: "Nothing here reads them; persisted queries are refused.",
      }),
    },
    {
      error: ({ input }) =>
        Array.isArray(input)
          ? "Batches are not supported: send one request."
          : "The body must be an object of JSON.",
    },
  )
  .openapi("GraphqlRequest", { description: "One operation. Batches are not supported." });

const hashAlone = z.object({
  query: z.null().optional(),
  extensions: z.object({ persistedQuery: z.record(z.string(), z.unknown()) }),
});

export type GraphqlRequest = {
  query: string;
  operationName: string | undefined;
  variables: Record<string, unknown> | undefined;
};

/** Reads the query of a URL: the request, or the reason it is invalid. */
export function readUrl(parameters: URLSearchParams): GraphqlRequest | string {
  const request: Record<string, unknown> = {};
  for (const name of ["query", "operationName"]) request[name] = parameters.get(name) ?? undefined;
  // Text that is not JSON is not an object either.
  for (const name of ["variables", "extensions"])
    request[name] = parseJson(parameters.get(name) || "null", false);
  return readRequest(request);
}

/** Reads a body: the request, or the reason it is invalid. */
export function readBody(text: string): GraphqlRequest | string {
  const body = parseJson(text, undefined);
  return body === undefined ? "The body is not JSON." : readRequest(body);
}

function readRequest(value: unknown): GraphqlRequest | string {
  const { data, error } = requestSchema.safeParse(value);
  if (hashAlone.safeParse(value).success) return HASH_ALONE;
  if (data === undefined) return error?.issues[0]?.message ?? NO_QUERY;
  const { query, operationName, variables } = data;
  return { query, operationName: operationName ?? undefined, variables: variables ?? undefined };
}

/** The reason that the variables exceed a limit, or null. Iterates by level, so that deep nesting cannot overflow the stack. */
function excessOf(variables: unknown): string | null {
  let level: unknown[] = [variables];
  let values = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === DEEPEST_VARIABLES) return "The variables have too many levels.";
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
    values += level.length;
    if (values > MOST_VARIABLES) return `The variables have more than ${MOST_VARIABLES} values.`;
    level = level.filter((one) => typeof one === "object" && one !== null);
  }
  return null;
}

/** `otherwise` when the text is not JSON. */
function parseJson(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}
