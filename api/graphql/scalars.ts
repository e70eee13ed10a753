/**
 * The scalars of the GraphQL face. They check the caller's input; values of the market pass unchanged, as in the other faces.
 * @module
 */
import { parseTime, TIME_FORM } from "../../config/format/time.ts";
import { quote } from "../../config/format/untrusted-text.ts";
import { GraphQLError, GraphQLScalarType, valueFromASTUntyped } from "./packages.ts";

type Scalar = {
  name: string;
  description: string;
  specifiedByURL?: string;
  isValid(value: unknown): boolean;
  /** what is allowed, for an error's text */
  form: string;
};

function createScalar({ isValid, form, ...config }: Scalar): GraphQLScalarType {
  const read = (value: unknown): unknown => {
    if (isValid(value)) return value;
    throw new GraphQLError(`${quote(value)} is not allowed. Allowed: ${form}.`);
  };
  return new GraphQLScalarType({
    ...config,
    parseValue: read,
    // Never a variable here: variables are read as values.
    parseLiteral: (node) => read(valueFromASTUntyped(node)),
    serialize(value) {
      if (isValid(value)) return value;
      // Not a `GraphQLError`: errors of the service itself are hidden from the caller.
      throw new TypeError(`the value of a ${config.name} is ${quote(value)}`);
    },
  });
}

export const SCALARS = Object.fromEntries(
  [
    createScalar({
      name: "BigInt",
      description:
        "A whole number of any size from 0 on, as a decimal string: amounts in base units (18 decimals), block numbers, ids on the chain.",
      isValid: (value) => typeof value === "string" && /^\d{1,100}$/.test(value),
      form: 'a whole number in decimal digits, as a string such as "1250500000000000000000"',
    }),
    createScalar({
      name: "SafeInt",
      description:
        "A whole number between -(2^53 - 1) and 2^53 - 1, as a JSON number. `Int` ends at 2^31 - 1, and a rate on the chain can be larger.",
      isValid: Number.isSafeInteger,
      form: "a whole number between -(2^53 - 1) and 2^53 - 1",
    }),
    createScalar({
      name: "DateTime",
      description:
        "A time in ISO 8601; in answers always in UTC and whole seconds: `2026-03-01T12:00:00Z`. As an argument also a date, which is its start in UTC.",
      specifiedByURL: "https://scalars.graphql.org/andimarek/date-time.html",
      isValid: (value) => typeof value === "string" && parseTime(value) !== null,
      form: TIME_FORM,
    }),
    createScalar({
      name: "Address",
      description: "An address on the chain: `0x` and 40 lowercase hex digits.",
      isValid: (value) => typeof value === "string" && /^0x[0-9a-f]{40}$/.test(value),
      form: "0x and 40 lowercase hex digits",
    }),
  ].map((scalar) => [scalar.name, scalar]),
);
