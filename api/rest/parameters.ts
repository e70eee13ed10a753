/**
 * How a URL carries a query: the fields as parameters, as OpenAPI describes them. All that is wrong is said at once.
 * @module
 */
import { z } from "@hono/zod-openapi";
import type { ParameterError } from "../http/problem.ts";
import { type QueryField, readField, wholeNumber } from "../market/query-field.ts";
import { quote } from "../untrusted-text.ts";

/** The part of a field's JSON schema that the description of a parameter has. */
type Form =
  | { type: "string"; enum?: string[] }
  | { type: "integer"; minimum: number; maximum: number }
  | { type: "array"; items: { type: "string"; enum?: string[] } };

/** A field as a parameter: a number in decimal digits, several words with commas between them. */
export function parameter<Schema extends z.ZodType>(field: QueryField<Schema>) {
  const { pattern: _, $schema, ...json } = z.toJSONSchema(field.schema, { io: "input" });
  const form = json as Form;
  const isList = form.type === "array";
  return z
    .string()
    .transform((text, context): z.output<Schema> => {
      const read = readField(field, valueIn(text, form), text);
      if ("value" in read) return read.value;
      const { detail, allowed } = read.refusal;
      context.addIssue({ code: "custom", message: detail, params: { allowed } });
      return z.NEVER;
    })
    .optional()
    .openapi({
      ...form,
      description: `${field.description}.${isList ? " Several with commas between." : ""}`,
      ...(field.example === undefined ? {} : { example: field.example }),
      ...(isList ? { param: { style: "form", explode: false } } : {}),
    });
}

function valueIn(text: string, { type }: Form): unknown {
  if (type === "array") return text.split(",");
  if (type === "integer") return wholeNumber(text);
  return text;
}
/** More than any honest query gets wrong: a long one of nonsense must not make a far longer answer. */
const MOST_ERRORS = 20;

export type ReadParameters<Values> =
  | { values: Values }
  | { problem: { detail: string; errors: ParameterError[] } };

/** Reads the query of a URL. Every parameter that is unknown, given twice or not allowed is in the problem, up to 20. */
export function readParameters<Shape extends z.ZodObject>(
  url: string,
  shape: Shape,
): ReadParameters<z.output<Shape>> {
  const names = Object.keys(shape.shape);
  const query = new URL(url).searchParams;
  const errors: ParameterError[] = [];
  // A map, not an object: a caller may name a parameter "__proto__".
  const given = new Map<string, string>();
  for (const name of new Set(query.keys())) {
    const [text = "", ...more] = query.getAll(name);
    if (!names.includes(name)) {
      errors.push({ parameter: shown(name), detail: "There is no such parameter.", allowed: names });
    } else if (more.length > 0) {
      errors.push({ parameter: name, detail: "It is given more than once.", allowed: ["one value"] });
    } else given.set(name, text);
  }
  const parsed = shape.safeParse(Object.fromEntries(given));
  for (const issue of parsed.error?.issues ?? []) {
    const allowed = "params" in issue ? ((issue.params as Partial<ParameterError>).allowed ?? []) : [];
    errors.push({ parameter: String(issue.path[0]), detail: `${issue.message}.`, allowed: [...allowed] });
  }
  if (parsed.success && errors.length === 0) return { values: parsed.data };
  return { problem: { detail: detailOf(errors, names), errors: errors.slice(0, MOST_ERRORS) } };
}

/** A name of the caller's, made as safe as a quoted one; any name of ours stays as it is. */
function shown(name: string): string {
  return quote(name).slice(1, -1);
}

function detailOf(errors: readonly ParameterError[], names: readonly string[]): string {
  const wrong = errors.slice(0, 5).map(({ parameter, detail }) => `"${parameter}": ${detail}`);
  const takes = names.length === 0 ? "takes no parameters" : `takes ${names.join(", ")}`;
  return `${wrong.join(" ")} This path ${takes}.`;
}
