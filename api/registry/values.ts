/** @module Values of the registry document, with the messages for malformed ones. */
import { z } from "zod";
import { quote } from "../../config/format/untrusted-text.ts";
import { ADDRESS } from "../../config/values.ts";

type Address = `0x${string}`;
type Issue = { readonly input?: unknown };

/** The message for a malformed value: what it is not, the value, what was expected. */
export function not(what: string, expected: string) {
  return ({ input }: Issue): string =>
    input === undefined
      ? `is missing (expected ${expected})`
      : `not ${what}: ${quote(input)} (expected ${expected})`;
}

const notAddress = not("an address", "0x and 40 hex digits");

export const address = z
  .string({ error: notAddress })
  .regex(ADDRESS, { error: notAddress })
  .transform((value) => value.toLowerCase() as Address);

export const notObject = ({
  input,
  code,
  keys,
}: Issue & { code?: string; keys?: readonly string[] }): string =>
  code === "unrecognized_keys"
    ? `unknown field ${(keys ?? []).slice(0, 5).map(quote).join(", ")}`
    : not("an object", "an object")({ input });
