/** @module Schemas of the OpenAPI description as lists of properties. */
import type { Schema } from "../developers/described.ts";
import type { Property, PropertyList } from "../endpoint.ts";

export type Schemas = Readonly<Record<string, Schema>>;

/** The place of a named schema: a path from the root, with a fragment. */
export type PlaceOf = (name: string) => string | undefined;

/** Deeper objects have names in the description. */
const DEEPEST = 6;

/** The name in a reference such as `#/components/schemas/Listing`. */
export function nameOf({ $ref }: Schema): string | null {
  return $ref === undefined ? null : ($ref.split("/").at(-1) ?? null);
}

/** The names that a schema refers to, those of its own properties included. */
export function namesIn(schema: Schema | undefined): Set<string> {
  const names = new Set<string>();
  const visit = (value: unknown) => {
    if (value === null || typeof value !== "object") return;
    for (const [key, one] of Object.entries(value)) {
      const name = key === "$ref" && typeof one === "string" ? nameOf({ $ref: one }) : null;
      if (name !== null) names.add(name);
      // Examples are data.
      else if (key !== "example") visit(one);
    }
  };
  visit(schema);
  return names;
}

/** A named schema: its properties, or its values. Those of an alternative that all others have too are left to the whole. */
export function objectLists(name: string, schemas: Schemas, placeOf: PlaceOf): PropertyList[] {
  const schema = schemas[name] ?? {};
  const alternatives = alternativesOf(schema);
  const shared = alternatives.length > 1 ? sharedProperties(alternatives, schemas) : [];
  const left = new Set(Object.entries(schemas).flatMap(([, whole]) => leftToWhole(name, whole, schemas)));
  const own = propertiesOf(schema, placeOf).filter((one) => !left.has(one.name.replace(/[.[].*/, "")));
  const whole = Object.keys(schemas).find((one) => leftToWhole(name, schemas[one] ?? {}, schemas).length > 0);
  return [
    ...(alternatives.length > 0
      ? [{ title: "One of", properties: alternatives.map((one) => alternative(one, schemas, placeOf)) }]
      : []),
    ...(shared.length > 0
      ? [
          {
            title: "Fields of each",
            properties: propertiesOf(partOf(shared, schemas, alternatives), placeOf),
          },
        ]
      : []),
    ...(own.length > 0
      ? [{ title: whole === undefined ? "Fields" : `Fields besides those of each ${whole}`, properties: own }]
      : []),
  ];
}

function alternative(name: string, schemas: Schemas, placeOf: PlaceOf): Property {
  return { name, href: placeOf(name), type: "", text: schemas[name]?.description ?? "" };
}

function alternativesOf({ oneOf = [], anyOf = [] }: Schema): string[] {
  return [...oneOf, ...anyOf].map(nameOf).filter((name) => name !== null);
}

/** Names of the properties that all alternatives have, described alike. */
function sharedProperties(alternatives: readonly string[], schemas: Schemas): string[] {
  const [first, ...others] = alternatives.map((name) => schemas[name]?.properties ?? {});
  return Object.entries(first ?? {}).flatMap(([key, schema]) => {
    const text = JSON.stringify(schema);
    return others.every((one) => JSON.stringify(one[key]) === text) ? [key] : [];
  });
}

function leftToWhole(name: string, whole: Schema, schemas: Schemas): string[] {
  const alternatives = alternativesOf(whole);
  return alternatives.length > 1 && alternatives.includes(name)
    ? sharedProperties(alternatives, schemas)
    : [];
}

function partOf(names: readonly string[], schemas: Schemas, [first = ""]: readonly string[]): Schema {
  const { properties = {}, required } = schemas[first] ?? {};
  const some = names.flatMap((name) => (properties[name] ? [[name, properties[name]] as const] : []));
  return { properties: Object.fromEntries(some), required };
}

/** The properties, nested ones under their full names: `page.nextCursor`, `listings[].publicId`. */
export function propertiesOf(schema: Schema, placeOf: PlaceOf, before = "", depth = 0): Property[] {
  const { properties = {}, required = [] } = mergedOf(schema);
  return Object.entries(properties).flatMap(([key, one]) => {
    const name = before + key;
    const property = propertyOf(name, one, required.includes(key), placeOf);
    const { inner, suffix } = innerOf(one);
    return depth === DEEPEST
      ? [property]
      : [property, ...propertiesOf(inner, placeOf, `${name}${suffix}.`, depth + 1)];
  });
}

function mergedOf({ allOf = [], ...schema }: Schema): Schema {
  const parts = [schema, ...allOf];
  return {
    properties: Object.assign({}, ...parts.map(({ properties = {} }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

/** The objects within a property that have no name of their own. */
function innerOf(schema: Schema): { inner: Schema; suffix: string } {
  if (schema.items !== undefined) {
    const { inner, suffix } = innerOf(schema.items);
    return { inner, suffix: `[]${suffix}` };
  }
  return { inner: schema, suffix: "" };
}

export function propertyOf(
  name: string,
  schema: Schema,
  isRequired: boolean,
  placeOf: PlaceOf,
  description = schema.description,
): Property {
  const named = [...namesIn(leanOf(schema))];
  const [only] = named;
  return {
    name,
    type: typeWords(schema),
    href: only === undefined || named.length > 1 ? undefined : placeOf(only),
    isOptional: !isRequired,
    text: description ?? "",
    limits: limitsOf(schema, description ?? ""),
  };
}

/** Without the properties, which are listed by themselves. */
function leanOf({ properties, items, ...schema }: Schema): Schema {
  return items === undefined ? schema : { ...schema, items: leanOf(items) };
}

/** Such as "list of Listing" or "integer or null". */
export function typeWords(schema: Schema): string {
  const name = nameOf(schema);
  if (name !== null) return name;
  const alternatives = [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])];
  if (alternatives.length > 0) return [...new Set(alternatives.map(typeWords))].join(" or ");
  const types = [schema.type ?? []].flat();
  const words = types.map((type) => (type === "array" ? `list of ${itemWords(schema.items)}` : type));
  if (words.length === 0) return schema.const === undefined && schema.enum === undefined ? "any" : "string";
  return words.join(" or ");
}

function itemWords(items: Schema | undefined): string {
  if (items === undefined) return "any";
  const words = typeWords(items);
  return words === "object" || words === "string" || words === "integer" ? `${words}s` : words;
}

/** Enumerations longer than this, such as all countries, are shortened. */
const MOST_VALUES = 24;
const SHOWN_VALUES = 3;

/** Bounds, default and values, as short sentences, unless the description says them. */
function limitsOf(schema: Schema, description: string): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const values = schema.enum ?? schema.items?.enum ?? (schema.const === undefined ? [] : [schema.const]);
  return [
    range(minimum, maximum, ""),
    range(minLength, maxLength, " characters"),
    range(minItems, maxItems, " items"),
    schema.default === undefined ? "" : `Default ${inCode(schema.default)}.`,
    valueWords(values),
  ]
    .filter((sentence) => sentence !== "" && !description.includes(boundsIn(sentence)))
    .join(" ");
}

/** `1 to 200` of `From 1 to 200.` */
function boundsIn(sentence: string): string {
  return /^From (.+)\.$/.exec(sentence)?.[1] ?? sentence;
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const [from, to] = [least, most].map((bound) => bound?.toLocaleString("en-US"));
  if (from !== undefined && to !== undefined) return `From ${from} to ${to}${unit}.`;
  if (to !== undefined) return `At most ${to}${unit}.`;
  // Counts are never negative: 0 alone says nothing.
  return from === undefined || from === "0" ? "" : `At least ${from}${unit}.`;
}

function valueWords(values: readonly unknown[]): string {
  if (values.length === 0) return "";
  if (values.length === 1) return `Always ${inCode(values[0])}.`;
  if (values.length <= MOST_VALUES) return `One of ${values.map(inCode).join(", ")}.`;
  return `One of ${values.length} values, such as ${values.slice(0, SHOWN_VALUES).map(inCode).join(", ")}.`;
}

const inCode = (value: unknown) => `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
