/** @module Arguments of fields: what they are in GraphQL's schema language, and how they are read. */
import type { z } from "zod";
import type { ParameterError } from "../http/problem.ts";
import {
  type FieldValues,
  LONGEST_PAGE,
  limitField,
  PAGE_LENGTH,
  type QueryField,
  readFields,
  textField,
} from "../market/query-field.ts";
import { badInput } from "./errors.ts";

/** As GraphQL passes them: checked against their types, null or absent when not given. */
export type Arguments = Readonly<Record<string, unknown>>;

/** The length of a page, and the types of the arguments that every connection has. */
export const PAGE_LIMIT = limitField(LONGEST_PAGE, PAGE_LENGTH);
export const PAGE_LIMIT_TYPE = `Int = ${PAGE_LENGTH}`;
export const PAGE_TYPES = { first: PAGE_LIMIT_TYPE, after: "String" };

/** The cursor that a page begins after; `decode` gives null for any other text. */
export function cursorField<Place>(decode: (text: string) => Place | null, form: string) {
  const description = "Goes on after this cursor: the `endCursor` of the page before, with the same order";
  return textField(decode, form, { description });
}

/** The same words, but at least one: an empty list is ambiguous. */
export function someWords<Words extends z.ZodArray>({ schema, allowed, description }: QueryField<Words>) {
  return { schema: schema.min(1), allowed, description };
}

/** Arguments in GraphQL's schema language, described as the fields of a query. */
export function argumentsOf<Name extends string>(
  fields: Readonly<Record<Name, QueryField>>,
  types: Readonly<Partial<Record<Name, string>>>,
): string {
  return (Object.keys(types) as Name[])
    .map((name) => `${JSON.stringify(`${fields[name].description}.`)} ${name}: ${types[name]}`)
    .join("\n");
}

/**
 * Reads arguments beyond what their types check, in the order of the fields.
 * @param contradictions between values that are each allowed alone
 * @throws a `BAD_USER_INPUT` with everything that is wrong, in the words of REST
 */
export function readArguments<Fields extends Record<string, QueryField>>(
  fields: Fields,
  given: Arguments,
  contradictions: (values: FieldValues<Fields>) => ParameterError[] = () => [],
): FieldValues<Fields> {
  const { values, refused } = readFields(fields, given as Partial<Record<keyof Fields, unknown>>);
  const errors = refused.map(({ name, detail, allowed }) => ({
    parameter: name,
    detail: `${detail}.`,
    allowed: [...allowed],
  }));
  const all = [...errors, ...contradictions(values)];
  if (all.length > 0) throw badInput(all);
  return values;
}
