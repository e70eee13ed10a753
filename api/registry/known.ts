/** @module The entries of the registry in use, which a new document has most of: they are recognised by their bytes at the source. */
import { hash } from "node:crypto";
import type { Packed, PackedEntry } from "./packed.ts";

export type EntryList = "originators" | "listings";
export const LISTS: readonly EntryList[] = ["originators", "listings"];

/** They are recognised by the keys that a draft's `add` returned. */
export type KnownEntries = Readonly<Record<EntryList, Packed>>;

export function keyOf(list: EntryList, sourceKey: string): string {
  return `${list} ${sourceKey}`;
}

export function digestOf(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

/** A known entry by the key that `add` returned; null if there is none. @param expected where it probably is */
export function findKnown(
  known: KnownEntries | undefined,
  list: EntryList,
  key: string,
  expected?: number,
): PackedEntry | null {
  return known === undefined ? null : findDigest(known, list, digestOf(key), expected);
}

/** A known entry by the digest that its packer was given for it. */
export function findDigest(
  known: KnownEntries,
  list: EntryList,
  digest: Uint8Array,
  expected?: number,
): PackedEntry | null {
  const index = known[list].withKey(digest, expected);
  return index < 0 ? null : { from: known[list], index };
}
