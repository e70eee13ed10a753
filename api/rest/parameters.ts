/** @module Fields of a query as URL parameters, with their OpenAPI descriptions, and the problem of a refused query. */
import { z } from "@hono/zod-openapi";
import { quote } from "../../config/format/untrusted-text.ts";
import type { ParameterError, ProblemParameters } from "../http/problem.ts";
import { type QueryField, readField, textField, wholeNumber } from "../market/query-field.ts";

/** The part of a field's JSON schema that describes its parameter. */
type Form =
  | { type: "string"; enum?: string[] }
  | { type: "integer"; minimum: number; maximum: number }
  | { type: "array"; items: { type: "string"; enum?: string[] } };

/** A field as a parameter: numbers in decimal digits, lists with commas, as repeated parameters, or both. */
export function parameter<Schema extends z.ZodType>(field: QueryField<Schema>) {
  const { pattern: _, $schema, ...json } = z.toJSONSchema(field.schema, { io: "input" });
  const form = json as Form;
  const isList = form.type === "array";
  return (isList ? z.union([z.string(), z.array(z.string())]) : z.string())
    .transform((sent, context): z.output<Schema> => {
      const text = [sent].flat().join(",");
      const read = readField(field, valueIn(text, form), text);
      if ("value" in read) return read.value;
      const { detail, allowed } = read.refusal;
      context.addIssue({ code: "custom", message: detail, params: { allowed } });
      return z.NEVER;
    })
    .optional()
    .openapi({
      ...form,
      description: `${field.description}.${isList ? " Several are separated by commas; repeating the parameter means the same." : ""}`,
      ...(field.example === undefined ? {} : { example: field.example }),
      ...(isList ? { param: { style: "form", explode: false } } : {}),
    });
}

export function parameters<Fields extends Record<string, QueryField>>(fields: Fields) {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, parameter(field)])) as {
    [Name in keyof Fields]: ReturnType<typeof parameter<Fields[Name]["schema"]>>;
  };
}

function valueIn(text: string, { type }: Form): unknown {
  if (type === "array") return text.split(",");
  return type === "integer" ? wholeNumber(text) : text;
}

/** The cursor of a path with a single order. */
export function cursorParameter<Place>(decode: (text: string) => Place | null, example?: string) {
  const description = "The `nextCursor` of the previous page";
  return parameter(textField(decode, "the nextCursor of a page of this path", { description, example }));
}

/** Enough for any honest query: a long one of nonsense must not get a far longer answer. */
const MOST_ERRORS = 20;

/**
 * The problem of a query with unknown or invalid parameters, up to 20 of them; null when there is none.
 * @param names the path's parameters
 * @param issues problems with their values
 */
export function refusedQuery(
  url: string,
  names: readonly string[],
  issues: readonly z.core.$ZodIssue[],
): ProblemParameters | null {
  const errors: ParameterError[] = [];
  for (const name of new Set(new URL(url).searchParams.keys())) {
    if (names.includes(name)) continue;
    errors.push({ parameter: shown(name), detail: "There is no such parameter.", allowed: [...names] });
  }
  for (const issue of issues) {
    const parameter = String(issue.path[0]);
    // Every other issue is an array in place of a single text.
    if (issue.code === "custom") {
      errors.push({ parameter, detail: `${issue.message}.`, allowed: issue.params?.allowed ?? [] });
    } else {
      errors.push({
        parameter,
        detail: "It is given more than once. Allowed: one value.",
        allowed: ["one value"],
      });
    }
  }
  if (errors.length === 0) return null;
  const detail = detailOf(errors, names);
  return { code: "invalid_parameter", detail, errors: errors.slice(0, MOST_ERRORS) };
}

/** A caller's name, made as safe as a quoted one; our own names stay as they are. */
function shown(name: string): string {
  return quote(name).slice(1, -1);
}

function detailOf(errors: readonly ParameterError[], names: readonly string[]): string {
  const wrong = errors.slice(0, 5).map(({ parameter, detail }) => `"${parameter}": ${detail}`);
  const takes = names.length === 0 ? "takes no parameters" : `takes ${names.join(", ")}`;
  return `${wrong.join(" ")} This path ${takes}.`;
}
