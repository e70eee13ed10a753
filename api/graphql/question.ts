/**
 * A GraphQL request as it is sent: in the URL of a GET or the body of a POST. Every reader gives the question, or the
 * words that say why there is none.
 * @module
 */
import { z } from "zod";

export type Question = { query: string; operationName?: string; variables?: Record<string, unknown> };

/** Levels of lists and objects in the variables. No argument has more than one. */
const DEEPEST_VARIABLES = 8;
/** Values in the variables, those of their lists too. Each is checked, and each that is wrong is explained. */
const MOST_VARIABLES = 200;

const NOT_ALLOWED = {
  query: "The query must be a text.",
  operationName: "The operationName must be a text.",
  variables: "The variables must be an object of JSON.",
  extensions: "The extensions must be an object of JSON.",
} as const;

const questionShape = z.object({
  query: z.string(),
  operationName: z.string().nullish(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  extensions: z.record(z.string(), z.unknown()).nullish(),
});

/** The question in the query of a URL. */
export function readUrl(parameters: URLSearchParams): Question | string {
  const given: Record<string, unknown> = {};
  for (const name of ["query", "operationName"]) given[name] = parameters.get(name) ?? undefined;
  for (const name of ["variables", "extensions"] as const) {
    const text = parameters.get(name);
    if (text === null || text === "") continue;
    const value = parseJson(text);
    if (value === undefined) return NOT_ALLOWED[name];
    given[name] = value;
  }
  return toQuestion(given);
}

/** The question in a body of JSON. */
export function readBody(text: string): Question | string {
  const body = parseJson(text);
  if (body === undefined) return "The body is not JSON.";
  if (Array.isArray(body)) return "Batches are not supported: send one question.";
  if (typeof body !== "object" || body === null) return "The body must be an object of JSON.";
  return toQuestion(body);
}

function toQuestion(given: object): Question | string {
  if (!("query" in given) || given.query === undefined || given.query === null || given.query === "") {
    return "There is no query.";
  }
  const parsed = questionShape.safeParse(given);
  if (!parsed.success) {
    const [name = "query"] = parsed.error.issues.map(({ path }) => path[0] as keyof typeof NOT_ALLOWED);
    return NOT_ALLOWED[name];
  }
  const { query, operationName, variables } = parsed.data;
  const tooMuch = tooMuchIn(variables);
  if (tooMuch !== null) return tooMuch;
  return { query, operationName: operationName ?? undefined, variables: variables ?? undefined };
}

/** Why the variables are too much, or null. A level at a time, so that no depth is too much for it. */
function tooMuchIn(variables: unknown): string | null {
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

/** Undefined when the text is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
