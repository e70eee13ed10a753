/**
 * The scalars of the GraphQL face. They check what a caller sends; what the market says is passed on as it is, so that
 * it reads like in every other face.
 * @module
 */

import { parseTime } from "../time.ts";
import { quote } from "../untrusted-text.ts";
import { GraphQLError, GraphQLScalarType, valueFromASTUntyped } from "./packages.ts";

type Scalar<Value> = {
  name: string;
  description: string;
  specifiedByURL?: string;
  is(value: unknown): value is Value;
  /** what is allowed, for an error's text */
  form: string;
};

function createScalar<Value>({ name, description, specifiedByURL, is, form }: Scalar<Value>) {
  const read = (value: unknown): Value => {
    if (is(value)) return value;
    throw new GraphQLError(`${quote(value)} is not allowed. Allowed: ${form}.`);
  };
  return new GraphQLScalarType<Value, Value>({
    name,
    description,
    ...(specifiedByURL === undefined ? {} : { specifiedByURL }),
    parseValue: read,
    // A literal is never a variable here: those are read as values.
    parseLiteral: (node) => read(valueFromASTUntyped(node)),
    serialize(value) {
      if (is(value)) return value;
      // No `GraphQLError`: what the service itself gets wrong is not the caller's to read.
      throw new TypeError(`the value of a ${name} is ${quote(value)}`);
    },
  });
}

const isText = (form: RegExp) => (value: unknown) => typeof value === "string" && form.test(value);

const bigIntScalar = createScalar<string>({
  name: "BigInt",
  description:
    "A whole number of any size from 0 on, as a decimal string: amounts in base units (18 decimals), block numbers, ids on the chain.",
  is: isText(/^\d{1,100}$/) as (value: unknown) => value is string,
  form: 'a whole number in decimal digits, as a string such as "1250500000000000000000"',
});

const safeIntScalar = createScalar<number>({
  name: "SafeInt",
  description:
    "A whole number between -(2^53 - 1) and 2^53 - 1, as a JSON number. `Int` ends at 2^31 - 1, and a rate on the chain can be larger.",
  is: (value): value is number => Number.isSafeInteger(value),
  form: "a whole number between -(2^53 - 1) and 2^53 - 1",
});

const dateTimeScalar = createScalar<string>({
  name: "DateTime",
  description: "A time in ISO 8601; in answers always in UTC and whole seconds: `2026-03-01T12:00:00Z`.",
  specifiedByURL: "https://scalars.graphql.org/andimarek/date-time.html",
  is: (value): value is string => typeof value === "string" && parseTime(value) !== null,
  form: "a time such as 2026-03-01T12:00:00Z",
});

const addressScalar = createScalar<string>({
  name: "Address",
  description: "An address on the chain: `0x` and 40 lowercase hex digits.",
  is: isText(/^0x[0-9a-f]{40}$/) as (value: unknown) => value is string,
  form: "0x and 40 lowercase hex digits",
});

export const SCALARS = {
  BigInt: bigIntScalar,
  SafeInt: safeIntScalar,
  DateTime: dateTimeScalar,
  Address: addressScalar,
};
