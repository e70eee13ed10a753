/** @module Entries of the registry compared with the chain: what they add, where they contradict it, and which of them have changed. */
import { isDeepStrictEqual } from "node:util";
import { type GivenTerms, lacksTerms } from "../../src/fold/derived.ts";
import { TERM_NAMES } from "../../src/fold/event-kinds.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import {
  changedListings,
  changedOriginators,
  pairKey,
  type Registry,
  type RegistryListing,
} from "../registry/schema.ts";

/** The raise with the names that the chain does not give. The same object if it gives them all. */
export function named(row: ListingRow, { refnum, tokenAddress }: RegistryListing): ListingRow {
  const isWhole =
    (row.refnum !== null || refnum === undefined) && (row.token !== null || tokenAddress === undefined);
  return isWhole
    ? row
    : { ...row, refnum: row.refnum ?? refnum ?? null, token: row.token ?? tokenAddress ?? null };
}

/** The fields of an entry of which the chain says something else; there the chain counts. @param row what the chain says */
export function contradictions(
  row: (GivenTerms & Pick<ListingRow, "refnum" | "token">) | null,
  entry: RegistryListing,
): readonly string[] {
  if (row === null) return [];
  const { terms, refnum, tokenAddress } = entry;
  const isOther = (chain: unknown, registry: unknown) =>
    chain != null && registry != null && chain !== registry;
  // A raise with all other terms has no closing time unless the chain gives one.
  const hasNoClose = row.closeAt == null && !lacksTerms(row);
  const differing = TERM_NAMES.filter((name) =>
    name === "closeAt" && hasNoClose ? terms?.closeAt != null : isOther(row[name], terms?.[name]),
  );
  return [
    ...differing.map((name) => `terms.${name}`),
    ...(isOther(row.refnum, refnum) ? ["refnum"] : []),
    ...(isOther(row.token, tokenAddress) ? ["tokenAddress"] : []),
  ];
}

/** The changes in entries that concern one raise each. */
type ChangedEntries = {
  pairs: readonly string[];
  /** of these the ones with other terms */
  otherTerms: readonly string[];
};

/** Null if the registries differ in more than what entries say of their raises: then everything has to be projected again. */
export function changedEntries(before: Registry, after: Registry): ChangedEntries | null {
  if (before.listings.length !== after.listings.length) return null;
  if (before.originators.length !== after.originators.length) return null;
  if (changedOriginators(before, after).length > 0) return null;
  const changed = changedListings(before, after);
  const isSame = changed.every((entry) => {
    const old = before.listingByPublicId.get(entry.publicId);
    return old?.originator === entry.originator && pairKey(old) === pairKey(entry);
  });
  if (!isSame) return null;
  const otherTerms = changed.filter(
    ({ publicId, terms }) => !isDeepStrictEqual(before.listingByPublicId.get(publicId)?.terms, terms),
  );
  return { pairs: changed.map(pairKey), otherTerms: otherTerms.map(pairKey) };
}
