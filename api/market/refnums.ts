/** @module Listings by refnum; the latest created where several visible ones share a refnum, and of those without a creation on the chain the last by public id. */
import type { Map as PersistentMap } from "immutable";
import type { Published } from "./listing.ts";
import type { Edit } from "./ordered.ts";

type PublicIds = PersistentMap<string, string>;

type Creation = { publicId: string; eventId: string };

/** The public id of the raise that was created last, or of equal ones the last public id: the order of the list does not matter. */
export function latestCreated(creations: readonly Creation[]): string | undefined {
  const placeOf = ({ eventId, publicId }: Creation) => `${eventId} ${publicId}`;
  return creations.reduce<Creation | undefined>(
    (latest, one) => (latest !== undefined && placeOf(latest) > placeOf(one) ? latest : one),
    undefined,
  )?.publicId;
}

/** Follows edits of visible listings: from the public ids by refnum before them to those after them. */
export function createRefnumIndex(
  keyOf: (refnum: string) => string,
): (publicIds: PublicIds, edits: readonly Edit<Published>[]) => PublicIds {
  /** the event ids of the creations, by refnum and public id */
  const creations = new Map<string, Map<string, string>>();
  return (publicIds, edits) => {
    const touched = new Set<string>();
    const creationsOf = ({ listing }: Published): Map<string, string> => {
      const key = keyOf(listing.refnum);
      const own = creations.get(key) ?? new Map<string, string>();
      creations.set(key, own);
      touched.add(key);
      return own;
    };
    for (const { before, after } of edits) {
      // A listing almost always keeps both; after a reorg it may be created later.
      const isSame =
        before?.listing.refnum === after?.listing.refnum &&
        before?.row.createdEventId === after?.row.createdEventId;
      if (isSame) continue;
      if (before !== null) creationsOf(before).delete(before.listing.publicId);
      if (after !== null) creationsOf(after).set(after.listing.publicId, after.row.createdEventId ?? "");
    }
    return publicIds.withMutations((entries) => {
      for (const key of touched) {
        const known = creations.get(key) ?? new Map<string, string>();
        if (known.size === 0) creations.delete(key);
        const latest = latestCreated([...known].map(([publicId, eventId]) => ({ publicId, eventId })));
        if (latest === undefined) entries.delete(key);
        else entries.set(key, latest);
      }
    });
  };
}
