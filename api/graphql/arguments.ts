/**
 * Reads the arguments that the types of GraphQL do not check. All that is wrong is said at once, in the words of REST.
 * @module
 */
import type { ParameterError } from "../http/problem.ts";
import { quote } from "../untrusted-text.ts";
import { LONGEST_PAGE, PAGE_LENGTH } from "./connection.ts";
import { badInput } from "./errors.ts";

/** What a caller gives: null is the same as nothing. */
export type Given<Value> = Value | null | undefined;

export type ArgumentReader = {
  /** The argument as `parse` reads it; null from it means that the value is not allowed. */
  read<Value, Read>(
    name: string,
    value: Given<Value>,
    parse: (value: Value) => Read | null,
    allowed: readonly string[],
  ): Read | undefined;
  /** Some words; none at all is an error, because it may mean everything or nothing. */
  some<Word>(name: string, words: Given<readonly Word[]>): readonly Word[] | undefined;
  /** How many items there shall be at most. */
  length(name: "first" | "last", value: Given<number>): number;
  refuse(error: ParameterError): void;
  /** Throws a `BAD_USER_INPUT` when anything was not allowed. */
  end(): void;
};

export function readArguments(): ArgumentReader {
  const errors: ParameterError[] = [];
  const read: ArgumentReader["read"] = (name, value, parse, allowed) => {
    if (value === null || value === undefined) return undefined;
    const found = parse(value);
    if (found !== null) return found;
    errors.push({ parameter: name, detail: `${quote(value)} is not allowed.`, allowed: [...allowed] });
    return undefined;
  };
  return {
    read,
    some: (name, words) =>
      read(name, words, (some) => (some.length === 0 ? null : some), ["one word or more"]),
    length: (name, value) =>
      read(name, value, (count) => (count >= 1 && count <= LONGEST_PAGE ? count : null), [
        `an integer from 1 to ${LONGEST_PAGE}`,
      ]) ?? PAGE_LENGTH,
    refuse: (error) => void errors.push(error),
    end() {
      if (errors.length > 0) throw badInput(errors);
    },
  };
}
