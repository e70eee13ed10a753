/** @module RFC 8785 canonical JSON of entries, mostly by `JSON.stringify`, which writes numbers and texts as the RFC wants them. */
import canonicalize from "canonicalize";

/** A key that an object keeps in the order of insertion, unlike one of digits. */
const PLAIN_KEY = /^[A-Za-z$][A-Za-z0-9]*$/;

/** The text of `canonicalize`; empty for a value without JSON. @throws for a text with half of a surrogate pair */
export function canonicalJson(value: unknown): string {
  const ordered = inOrder(value);
  return ordered === undefined ? (canonicalize(value) ?? "") : JSON.stringify(ordered);
}

/** The value with all keys in order; undefined if it has something that the library must write. */
function inOrder(value: unknown): unknown {
  if (typeof value === "string") return value.isWellFormed() ? value : undefined;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (value === null || typeof value === "boolean") return value;
  if (Array.isArray(value)) {
    const ordered = Array.from(value, inOrder);
    return ordered.includes(undefined) ? undefined : ordered;
  }
  if (typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype || "toJSON" in value)
    return undefined;
  const members = value as Record<string, unknown>;
  const ordered: Record<string, unknown> = {};
  for (const key of Object.keys(members).sort()) {
    const member = inOrder(members[key]);
    if (member === undefined || !PLAIN_KEY.test(key)) return undefined;
    ordered[key] = member;
  }
  return ordered;
}
