/** A market does not depend on the order in which its raises were read. */
import { Map as PersistentMap } from "immutable";
import { expect, it } from "vitest";
import type { ListingRow } from "../../src/fold/state.ts";
import { business } from "../../test/harness/market.ts";
import { noRows } from "../../test/harness/random-blocks.ts";
import { DESK, DRAWN, entryDraft, HEAD, listingRow, NOW, registryOf } from "../../test/harness/rows.ts";
import { SITE } from "../../test/harness/snapshot.ts";
import type { Published } from "./listing.ts";
import { createProjection } from "./project.ts";
import { createRefnumIndex } from "./refnums.ts";

function published(publicId: string, createdEventId: string): Published {
  return { listing: { publicId, refnum: "RB00007" }, row: { createdEventId } } as Published;
}

/** The public id that the refnum leads to, after raises became visible one after another. */
function found(raises: readonly Published[]): string | undefined {
  const follow = createRefnumIndex((refnum) => refnum);
  let publicIds = PersistentMap<string, string>();
  for (const after of raises) publicIds = follow(publicIds, [{ before: null, after }]);
  return publicIds.get("RB00007");
}

it("a refnum resolves to the listing created last; of several created at once, to the last public id", () => {
  const raises = [published("lst_c", "1"), published("lst_a", "2"), published("lst_b", "2")];
  for (const order of [raises, raises.toReversed()]) expect(found(order)).toBe("lst_b");
});

it("the market counts the holders of a token that only the registry names for one of its raises", () => {
  const { token } = listingRow({ onchainId: 1n });
  if (token === null) throw new Error("the raise has no token");
  const named = entryDraft({ onchainId: "2", tokenAddress: token });
  const two = registryOf([entryDraft({ onchainId: "1" }), named], [business()]);
  const projection = createProjection({
    registry: two,
    publicSettings: { ...SITE, desk: DESK },
    start: HEAD,
  });
  const rows = [
    listingRow({ ...DRAWN, onchainId: 1n }),
    listingRow({ ...DRAWN, onchainId: 2n, token: null }),
  ];
  const holdersAfter = (count: number, listings: readonly ListingRow[]) => {
    const head = { number: HEAD.number + BigInt(count), timestamp: NOW + BigInt(count) };
    const changed = { ...noRows(), listings: [...listings], holders: new Map([[token, count]]) };
    const { trading } = projection.advance(changed, head, HEAD.number);
    return trading.listings.map(({ holderCount }) => holderCount);
  };
  expect(holdersAfter(3, rows)).toEqual([3, 3]);
  expect(holdersAfter(4, [])).toEqual([4, 4]);
  // Nothing else changes at this second.
  expect(holdersAfter(5, [])).toEqual([5, 5]);
});

it("a market names the causes of a grade in one order, whichever raise came first", () => {
  const registry = registryOf(
    ["1", "2"].map((onchainId) => entryDraft({ onchainId })),
    [business()],
  );
  const drawn = (id: bigint) => listingRow({ ...DRAWN, onchainId: id });
  const made = [[1n], [2n]].map(([first = 0n]) => {
    const projection = createProjection({ registry, publicSettings: SITE, start: HEAD });
    projection.advance({ ...noRows(), listings: [drawn(first)] }, HEAD, HEAD.number);
    const head = { number: HEAD.number + 1n, timestamp: NOW + 1n };
    const market = projection.advance({ ...noRows(), listings: [drawn(3n - first)] }, head, HEAD.number);
    return market.originators.map((one) => market.gradesOf(one));
  });
  expect(made[0]?.flat()).not.toEqual([]);
  expect(made[1]).toEqual(made[0]);
});
