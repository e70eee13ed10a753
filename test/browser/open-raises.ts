/** @module A market of open raises, for the board in a browser. */
import { entryDraft, listingRow, NOW, registryOf } from "../harness/rows.ts";
import { snapshotOf, tablesOf } from "../harness/snapshot.ts";

export type Changes = Parameters<typeof listingRow>[0];

/** The raises 1 to `size`, the newest last. */
export function openRaises(size: number, changesOf: (id: bigint) => Changes) {
  const ids = Array.from({ length: size }, (_, index) => BigInt(index + 1));
  const listings = ids.map((onchainId) =>
    listingRow({ onchainId, goLiveAt: NOW - 1_000_000n + onchainId, ...changesOf(onchainId) }),
  );
  const entries = ids.map((id) => entryDraft({ onchainId: `${id}`, title: `Raise ${id}` }));
  return snapshotOf(tablesOf({ listings }), registryOf(entries));
}
