/**
 * Markets of a few businesses.
 * @module
 */
import { business } from "./market.ts";
import { entryDraft, listingRow, registryOf } from "./rows.ts";
import { snapshotOf, tablesOf } from "./snapshot.ts";

/** Listings with these rows. @param originators of each listing, by public id; the first business without one */
export async function market(
  rows: Parameters<typeof listingRow>[0][],
  businesses = [business()],
  originators: string[] = [],
) {
  const listings = rows.map((row, index) => listingRow({ onchainId: BigInt(index + 1), ...row }));
  const entries = listings.map(({ onchainId }, index) =>
    entryDraft({
      onchainId: onchainId.toString(),
      originator: originators[index] ?? businesses[0]?.publicId ?? "org_northwind",
    }),
  );
  return snapshotOf(tablesOf({ listings }), registryOf(entries, businesses));
}
