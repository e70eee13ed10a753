/**
 * What of an answer stands in an example: enough to see its form.
 * @module
 */

/** Items of a list that stay. */
const ITEMS = 2;

/** A copy in which every list has at most two items. */
export function trimmed(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, ITEMS).map(trimmed);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, trimmed(inner)]));
}
