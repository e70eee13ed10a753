/** @module Compares the facts of a page with REST. */
import { expect } from "vitest";
import type { ExactFact } from "./page-facts.ts";

/** An object of an answer. */
export type Fields = Record<string, unknown>;

/** The field, of fields in fields too: `rating.n`. Undefined when there is none, or when it is not one value. */
function fieldOf(fields: Fields, key: string): string | null | undefined {
  const value = key
    .split(".")
    .reduce<unknown>((at, name) => (at as Fields | null | undefined)?.[name], fields);
  if (value === null) return null;
  return Array.isArray(value)
    ? String(value.length)
    : typeof value === "object" || value === undefined
      ? undefined
      : String(value);
}

/**
 * Names of the facts that are fields of one of the subjects; throws at a fact that is not what the field says. Facts that
 * only the page has are left out.
 */
export function checkAgainst(
  facts: readonly ExactFact[],
  subjects: readonly Fields[],
  where: string,
): string[] {
  return facts.flatMap(({ key, exact, href }) => {
    const known = subjects.map((subject) => fieldOf(subject, key)).filter((value) => value !== undefined);
    if (known.length === 0) return [];
    // If the value is a link, its text may be a name: the address says which one is meant.
    const id = href === null ? null : new URL(href).pathname.split("/").at(-1);
    const isSame =
      known.includes(exact) || (id !== null && known.some((value) => value === id || value === href));
    expect(isSame, `${key} of ${where}: ${exact}, by REST ${known.join(" or ")}`).toBe(true);
    return [key];
  });
}
