/** @module The rules of a registry that no single entry can break: duplicates, missing originators, a signature's revision. */
import { quote } from "../../config/format/untrusted-text.ts";
import { type Indexes, pairKey, type RegistryDocument } from "./schema.ts";

type Checked = Readonly<Omit<RegistryDocument, "originators" | "listings">> & {
  readonly originators: readonly RegistryDocument["originators"][number][];
  readonly listings: readonly RegistryDocument["listings"][number][];
};

/** The problems, each with its path; empty if all is well. @param indexes an entry is missing in one if its key occurs twice */
export function crossProblems(document: Checked, indexes: Indexes): string[] {
  const { originators, listings, revision, signature } = document;
  const { originatorByPublicId, listingByPublicId, listingByPair } = indexes;
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
    ...listings.flatMap(({ originator }, index) =>
      originatorByPublicId.has(originator)
        ? []
        : [`listings[${index}].originator: no originator has the public id ${quote(originator)}`],
    ),
    ...(signature !== undefined && revision === undefined
      ? ["revision: is missing (a signed document needs one)"]
      : []),
  ];
}

function repeated<T>(
  entries: readonly T[],
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
