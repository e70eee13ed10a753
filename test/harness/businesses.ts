/** @module Markets of a few businesses. */

import { isoTime } from "../../config/format/time.ts";
import { lifecycleOf } from "../../src/fold/derived.ts";
import { business } from "./market.ts";
import { entryDraft, listingRow, NOW, registryOf } from "./rows.ts";
import { SITE, snapshotOf, tablesOf } from "./snapshot.ts";

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

/** One open raise that the registry alone tells of: its contracts have neither its terms nor who created it. */
export function marketOfTheRegistry() {
  const terms = {
    ...{ targetAmount: "1000", minRaise: "100", couponRateBps: 1_000, tenorDays: 90, insuranceBps: 0 },
    ...{ pricingMode: "fixed", goLiveAt: isoTime(NOW - 1n) },
  };
  const entry = { ...entryDraft(), terms, refnum: "RB00001" };
  const contracts = { lifecycle: lifecycleOf(new Set(["subscribed"]), false), follows: () => true };
  return snapshotOf(tablesOf({ listings: [] }), registryOf([entry], [business()]), SITE, contracts);
}
