/** @module Queries as text, for keys of caches: their blocks and times are big integers, which JSON does not have. */

export function jsonKey(query: unknown): string {
  return JSON.stringify(query, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value));
}
