/** @module How many entries two copies of the registry differ in, for the log. */
import { changedListings, changedOriginators, type Registry } from "./schema.ts";

export type Changes = { readonly added: number; readonly removed: number; readonly changed: number };

/** Entries are the same by their public ids. */
export function changesBetween(
  before: Registry,
  after: Registry,
): { originators: Changes; listings: Changes } {
  return {
    originators: changesOf(
      changedOriginators(before, after),
      before.originatorByPublicId,
      after.originatorByPublicId,
    ),
    listings: changesOf(changedListings(before, after), before.listingByPublicId, after.listingByPublicId),
  };
}

function changesOf(
  changed: readonly { publicId: string }[],
  before: Registry["listingByPublicId"] | Registry["originatorByPublicId"],
  after: { readonly size: number },
): Changes {
  const added = changed.filter(({ publicId }) => !before.has(publicId)).length;
  return { added, removed: before.size - (after.size - added), changed: changed.length - added };
}
