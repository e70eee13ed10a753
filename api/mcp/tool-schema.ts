/** @module A tool's schemas as listed, without what a model does not need: every client reads the list into its context. */
import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";

type JsonSchema = Record<string, unknown>;

/** Keywords without information here: the dialect is the protocol's default, and property names are always strings. */
const NOISE = ["$schema", "propertyNames"];
/** The member of a schema with the words that are allowed where another argument already lists them: only advice names them. */
export const ALLOWED_WORDS = "allowedWords";
/** Bounds of arguments: the advice on one beyond them names these. */
const NOISE_IN_ARGUMENTS = [
  ...[...NOISE, "maxItems", "minLength", "maxLength", "minimum", "maximum"],
  ALLOWED_WORDS,
];
/** In an answer these constrain the service, not the reader. `required` stays at the root. */
const NOISE_IN_ANSWERS = [...NOISE, "additionalProperties", "required"];

export function inputJsonSchema(schema: z.ZodObject): JsonSchema {
  return without(z.toJSONSchema(schema, { io: "input" }), NOISE_IN_ARGUMENTS);
}

/** With the bounds, for advice. */
export function boundedInputSchema(schema: z.ZodObject): JsonSchema {
  return without(z.toJSONSchema(schema, { io: "input" }), NOISE);
}

/** The described arguments and no others, checked by our code: the library would answer in its parser's words. */
export function asInputSchema(schema: z.ZodObject): StandardSchemaWithJSON<unknown, unknown> {
  const standard = { ...schema["~standard"], validate: (value: unknown) => ({ value }) };
  return { "~standard": { ...standard, jsonSchema: listed(inputJsonSchema(schema)) } };
}

export function asOutputSchema(
  schema: z.ZodObject,
): StandardSchemaWithJSON<unknown, Record<string, unknown>> {
  const json = z.toJSONSchema(schema, { io: "output" });
  const jsonSchema = listed({ ...without(json, NOISE_IN_ANSWERS), required: json.required });
  return { "~standard": { ...schema["~standard"], jsonSchema } };
}

function listed(json: JsonSchema) {
  return { input: () => json, output: () => json };
}

/** Without these keywords, at any depth. Several types of one value are listed in the form that every client reads. */
function without(schema: object, keywords: readonly string[]): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (keywords.includes(key)) return undefined;
    // An object whose fields are not listed.
    if (key === "properties" && isEmpty(value)) return undefined;
    return hasSeveralTypes(value) ? { anyOf: value.type.map((type) => ({ type })) } : value;
  });
}

function isEmpty(value: unknown): boolean {
  return value !== null && typeof value === "object" && Object.keys(value).length === 0;
}

/** A schema of types alone, such as a string or null. */
function hasSeveralTypes(value: unknown): value is { type: string[] } {
  return value !== null && typeof value === "object" && "type" in value && Array.isArray(value.type);
}
