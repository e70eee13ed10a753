/** @module The rules of a registry that no single entry can break: duplicates, missing originators, a signature's revision. */
import { quote } from "../../config/format/untrusted-text.ts";
import type { Entries } from "./entries.ts";
import { pairKey, type Registry } from "./schema.ts";

/**
 * The problems, each with its path; empty if all is well.
 * @param ownerOf the originator of a listing, without reading its entry
 */
export function crossProblems(registry: Registry, ownerOf: (index: number) => string): string[] {
  const { originators, listings, revision, signature } = registry;
  // An entry is missing in a lookup if its key occurs twice.
  const { originatorByPublicId, listingByPublicId, listingByPair } = registry;
  const missingOwners: number[] = [];
  for (let index = 0; index < listings.length; index++)
    if (!originatorByPublicId.has(ownerOf(index))) missingOwners.push(index);
  return [
    ...(originatorByPublicId.size < originators.length
      ? repeated(originators, "originators", "publicId", ({ publicId }) => publicId)
      : []),
    ...originators.flatMap(({ addresses }, index) =>
      addresses.length < 2 ? [] : repeated(addresses, `originators[${index}].addresses`, "", (a) => a),
    ),
    ...(listingByPublicId.size < listings.length
      ? repeated(listings, "listings", "publicId", ({ publicId }) => publicId)
      : []),
    ...(listingByPair.size < listings.length ? repeated(listings, "listings", "onchainId", pairKey) : []),
    ...missingOwners.map(
      (index) => `listings[${index}].originator: no originator has the public id ${quote(ownerOf(index))}`,
    ),
    ...(signature !== null && revision === null
      ? ["revision: is missing (a signed document needs one)"]
      : []),
  ];
}

function repeated<T>(
  entries: Pick<Entries<T>, "flatMap">,
  list: string,
  field: string,
  keyOf: (entry: T) => string,
): string[] {
  const first = new Map<string, number>();
  return entries.flatMap((entry, index) => {
    const key = keyOf(entry);
    const before = first.get(key);
    if (before === undefined) {
      first.set(key, index);
      return [];
    }
    const at = field === "" ? `${list}[${index}]` : `${list}[${index}].${field}`;
    const what = field === "onchainId" ? "the pair of escrow and on-chain id" : quote(key);
    return [`${at}: ${what} is already in ${list}[${before}]`];
  });
}
