/**
 * GraphQL types made from the schemas of the REST answers, so that names, nullability and descriptions are those of
 * REST and cannot drift. The schemas come by way of the OpenAPI description, which has their names.
 * @module
 */
import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLScalarType,
  GraphQLString,
} from "./graphql-js.ts";
import { addressScalar, bigIntScalar, dateTimeScalar, safeIntScalar } from "./scalars.ts";
import { DESCRIPTIONS, ENUM_VALUES, NAMES } from "./words.ts";

/** What is used here of a schema in an OpenAPI 3.1 description. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: (string | null)[];
  format?: string;
  pattern?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema;
  oneOf?: Schema[];
};
export type Schemas = Readonly<Record<string, Schema>>;

/** Fields as a type has them, whatever their source. */
export type Fields = ReturnType<GraphQLObjectType["toConfig"]>["fields"];
export type Field = Fields[string];

/** What GraphQL has otherwise than REST. */
export type Difference = {
  /** Fields to add to a type, or to put in the place of its own. */
  fields?: (types: AnswerTypes) => Fields;
  /** Fields of REST that the type does not have. */
  omit?: readonly string[];
  interface?: () => GraphQLInterfaceType;
};

export type AnswerTypes = {
  /** The object type of this name: of a schema, or within one that was made before. */
  object(name: string): GraphQLObjectType;
  /** The enum of this name. */
  enum(name: string): GraphQLEnumType;
  /** A field as the schema of the type `owner` has it. */
  field(owner: string, name: string): Field;
};

/** The types of these schemas. An error says what has no description, or cannot be said in GraphQL. */
export function createAnswerTypes(
  schemas: Schemas,
  differences: Readonly<Record<string, Difference>>,
): AnswerTypes {
  const objects = new Map<string, GraphQLObjectType>();
  const enums = new Map<string, GraphQLEnumType>();

  const makeObject = (name: string, schema: Schema): GraphQLObjectType => {
    const known = objects.get(name);
    if (known !== undefined) return known;
    const different = differences[name] ?? {};
    const made = new GraphQLObjectType({
      name,
      description: describe(name, schema),
      interfaces: () => (different.interface === undefined ? [] : [different.interface()]),
      fields: () => {
        const own = Object.keys(schema.properties ?? {}).filter((field) => !different.omit?.includes(field));
        return {
          ...Object.fromEntries(own.map((field) => [field, makeField(name, schema, field)])),
          ...different.fields?.(types),
        };
      },
    });
    objects.set(name, made);
    return made;
  };

  const makeEnum = (name: string, schema: Schema): GraphQLEnumType => {
    const known = enums.get(name);
    if (known !== undefined) return known;
    const words = (schema.enum ?? []).filter((word) => word !== null);
    const meanings = ENUM_VALUES[name] ?? {};
    const values = words.map((word) => [word, { description: meaningOf(name, word, meanings) }]);
    const made = new GraphQLEnumType({
      name,
      description: describe(name, schema),
      values: Object.fromEntries(values),
    });
    enums.set(name, made);
    return made;
  };

  const makeField = (owner: string, { properties = {}, required = [] }: Schema, name: string): Field => {
    const schema = properties[name];
    if (schema === undefined) throw new Error(`${owner} has no field ${name}`);
    const type = typeOf(schema, `${owner}.${name}`);
    const isNullable = !required.includes(name) || schema.type?.includes("null") === true;
    return {
      type: isNullable ? type : new GraphQLNonNull(type),
      description: describe(`${owner}.${name}`, schema.$ref === undefined ? schema : named(schema.$ref)),
      ...(schema.additionalProperties === undefined
        ? {}
        : { resolve: (source: Answer) => entries(source[name]) }),
    };
  };

  /** The type without its nullability. `path` names what has no name of its own. */
  const typeOf = (schema: Schema, path: string): Exclude<GraphQLOutputType, GraphQLNonNull<never>> => {
    if (schema.$ref !== undefined) return typeOf(named(schema.$ref), nameIn(schema.$ref));
    const name = NAMES[path] ?? path;
    if (schema.enum !== undefined) {
      if (name in schemas) return makeEnum(name, schemas[name] ?? schema);
      // One word alone is no choice.
      return schema.enum.length === 1 ? GraphQLString : makeEnum(name, schema);
    }
    if (schema.items !== undefined) return listOf(typeOf(schema.items, path));
    if (schema.additionalProperties !== undefined) {
      return listOf(makeObject(name, entrySchema(schema.additionalProperties)));
    }
    if (schema.properties !== undefined) return makeObject(name, schema);
    return scalarOf(schema, path);
  };

  const named = (ref: string): Schema => {
    const schema = schemas[nameIn(ref)];
    if (schema === undefined) throw new Error(`there is no schema ${ref}`);
    return schema;
  };

  const types: AnswerTypes = {
    object: (name) => objects.get(name) ?? makeObject(name, named(name)),
    enum: (name) => makeEnum(name, schemas[name] ?? {}),
    field: (owner, name) => makeField(owner, named(owner), name),
  };
  return types;
}

function nameIn(ref: string): string {
  return ref.replace("#/components/schemas/", "");
}

function listOf(type: GraphQLOutputType) {
  return new GraphQLList(new GraphQLNonNull(type));
}

/** GraphQL has no objects with free keys: they are lists of entries. */
function entrySchema(value: Schema): Schema {
  return { properties: { key: { type: "string" }, value }, required: ["key", "value"] };
}

type Answer = Readonly<Record<string, Record<string, unknown>>>;

function entries(value: Answer[string] = {}): { key: string; value: unknown }[] {
  return Object.entries(value).map(([key, one]) => ({ key, value: one }));
}

const DIGITS = ["^(0|[1-9][0-9]*)$", "^\\d+$"];

/** Texts of REST that have a form which only their description says. */
const FORMED_TEXTS: Readonly<Record<string, GraphQLScalarType>> = {
  "AuditSummary.block": bigIntScalar,
  "AuditSummary.at": dateTimeScalar,
};

function scalarOf({ type = [], format, pattern = "" }: Schema, path: string): GraphQLScalarType {
  const formed = FORMED_TEXTS[path];
  if (formed !== undefined) return formed;
  const kind = [type].flat().find((one) => one !== "null");
  if (kind === "boolean") return GraphQLBoolean;
  // Not `Int`, which ends at 2^31 - 1: the chain and the head's time set no such bound.
  if (kind === "integer") return safeIntScalar;
  if (kind !== "string") throw new Error(`${path} cannot be said in GraphQL`);
  if (format === "date-time") return dateTimeScalar;
  if (DIGITS.includes(pattern)) return bigIntScalar;
  return pattern === "^0x[0-9a-f]{40}$" ? addressScalar : GraphQLString;
}

function describe(path: string, { description }: Schema): string {
  const found = DESCRIPTIONS[path] ?? description;
  if (found === undefined) throw new Error(`${path} has no description`);
  return found;
}

function meaningOf(name: string, word: string, meanings: Readonly<Record<string, string>>): string {
  const found = meanings[word];
  if (found === undefined) throw new Error(`${name}.${word} has no description`);
  return found;
}
