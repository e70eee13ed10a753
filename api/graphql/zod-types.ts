/** @module Types in GraphQL's schema language from zod schemas: names, nullability and descriptions are those of the schemas. */
import { z } from "@hono/zod-openapi";
import { getOpenApiMetadata } from "./packages.ts";

/** GraphQL's types, without their nullability, by the schemas that they stand for. */
export type TypeNames = ReadonlyMap<z.ZodType, string>;

/** GraphQL's scalars by the format or the pattern of a text. */
const SCALARS: Readonly<Record<string, string>> = {
  "date-time": "DateTime",
  "^(0|[1-9][0-9]*)$": "BigInt",
  "^\\d+$": "BigInt",
  "^0x[0-9a-f]{40}$": "Address",
};

/**
 * The type or interface that `declaration` begins.
 * @param links fields in GraphQL's schema language that are added, or replace the schema's
 * @param omit names of fields that the type does not have
 * @throws when the schema or a field has no description, or no type in GraphQL
 */
export function objectType(
  declaration: string,
  schema: z.ZodType,
  names: TypeNames,
  {
    links = {},
    omit = [],
  }: { links?: Readonly<Record<string, string>> | undefined; omit?: readonly string[] },
): string {
  const { shape } = withoutNull(schema as z.ZodObject);
  const own = Object.entries(shape).filter(([name]) => !omit.includes(name));
  const fields = own.map(([name, field]) => {
    const path = `${declaration}.${name}`;
    return [name, `${describe(field, path)} ${name}: ${typeOf(field, names, path)}`];
  });
  const lines = Object.values({ ...Object.fromEntries(fields), ...links });
  return `${describe(schema, declaration)} ${declaration} {\n${lines.join("\n")}\n}`;
}

/** The enum of the schema's words; `meanings` describes each. */
export function enumType(
  name: string,
  schema: z.ZodType,
  meanings: Readonly<Record<string, string>>,
): string {
  const words = Object.entries(meanings).map(([word, meaning]) => `${JSON.stringify(meaning)} ${word}`);
  return `${describe(schema, name)} enum ${name} {\n${words.join("\n")}\n}`;
}

/** The description of a schema as a string of GraphQL; `path` is for the error when it has none. */
export function describe(schema: z.ZodType, path = "a schema"): string {
  const { description } = getOpenApiMetadata(schema);
  if (description === undefined) throw new Error(`${path} has no description`);
  return JSON.stringify(description);
}

/** The schema of a value that is neither null nor absent. */
export function withoutNull<Schema extends z.ZodType>(schema: Schema): Schema {
  return isOptional(schema) ? withoutNull(schema.unwrap() as unknown as Schema) : schema;
}

function isOptional(schema: z.ZodType): schema is z.ZodOptional | z.ZodNullable {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable;
}

function typeOf(schema: z.ZodType, names: TypeNames, path: string): string {
  const value = withoutNull(schema);
  const { format } = getOpenApiMetadata(schema);
  const type = names.get(value) ?? unnamedType(value, format, names, path);
  return isOptional(schema) ? type : `${type}!`;
}

function unnamedType(schema: z.ZodType, format: string, names: TypeNames, path: string): string {
  if (schema instanceof z.ZodArray) return `[${typeOf(schema.element as z.ZodType, names, path)}]`;
  if (schema instanceof z.ZodBoolean) return "Boolean";
  // Not `Int`, which ends at 2^31 - 1: the chain and the head's time set no such bound.
  if (schema instanceof z.ZodNumber && schema.format === "safeint") return "SafeInt";
  const isText = schema instanceof z.ZodString || schema instanceof z.ZodLiteral;
  if (!isText) throw new Error(`${path} has no type in GraphQL`);
  const { pattern = "" } = z.toJSONSchema(schema);
  return SCALARS[format] ?? SCALARS[pattern] ?? "String";
}
