/**
 * The differences of a new registry, in numbers for the log.
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import type { Registry } from "./schema.ts";

export type Changes = { readonly added: number; readonly removed: number; readonly changed: number };

/** Entries are the same by their public ids. */
export function changesBetween(
  before: Registry,
  after: Registry,
): { originators: Changes; listings: Changes } {
  return {
    originators: changesOf(before.originatorByPublicId, after.originatorByPublicId),
    listings: changesOf(before.listingByPublicId, after.listingByPublicId),
  };
}

function changesOf(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): Changes {
  const kept = [...after].filter(([publicId]) => before.has(publicId));
  return {
    added: after.size - kept.length,
    removed: before.size - kept.length,
    changed: kept.filter(([publicId, entry]) => !isDeepStrictEqual(entry, before.get(publicId))).length,
  };
}
