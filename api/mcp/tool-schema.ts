/**
 * A tool's schemas as they are listed: JSON Schema without what a model can do without. Every client reads the list
 * of tools into its context, so that each word of it costs.
 * @module
 */
import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";

type JsonSchema = Record<string, unknown>;

/** Keywords that say nothing here: the dialect is the protocol's default, and property names are always texts. */
const NOISE = ["$schema", "propertyNames"];
/** In an answer these bind the service, not the reader. `required` stays at the root. */
const NOISE_IN_ANSWERS = [...NOISE, "additionalProperties", "required"];

/**
 * What a tool takes. Nothing but the described arguments is allowed; whoever calls the tool checks them, because the
 * library would answer in the words of its parser.
 */
export function asInputSchema(schema: z.ZodObject): StandardSchemaWithJSON<unknown, unknown> {
  const json = without(z.toJSONSchema(schema, { io: "input" }), NOISE);
  const standard = { ...schema["~standard"], validate: (value: unknown) => ({ value }) };
  return { "~standard": { ...standard, jsonSchema: { input: () => json, output: () => json } } };
}

/** What a tool answers with. */
export function asOutputSchema<Schema extends z.ZodObject>(schema: Schema) {
  const json = z.toJSONSchema(schema, { io: "output" });
  return listedAs(schema, { ...without(json, NOISE_IN_ANSWERS), required: json.required });
}

/** Checks as the schema does, and is listed as `json`. */
function listedAs<Schema extends z.ZodObject>(
  schema: Schema,
  json: JsonSchema,
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const jsonSchema = { input: () => json, output: () => json };
  return { "~standard": { ...schema["~standard"], jsonSchema } };
}

/**
 * The schema without these keywords, at any depth. No property of a tool has the name of one of them. A value of several
 * types is said in the form that every client reads.
 */
function without(schema: object, keywords: readonly string[]): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (keywords.includes(key)) return undefined;
    return isOfSeveralTypes(value) ? { anyOf: value.type.map((type) => ({ type })) } : value;
  });
}

/** A schema that says nothing but the types: a text or null. */
function isOfSeveralTypes(value: unknown): value is { type: string[] } {
  return value !== null && typeof value === "object" && "type" in value && Array.isArray(value.type);
}
