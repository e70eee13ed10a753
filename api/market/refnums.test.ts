import { Map as PersistentMap } from "immutable";
import { expect, it } from "vitest";
import type { Published } from "./listing.ts";
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

it("a refnum leads to the latest created, and of those created at once to the last by public id", () => {
  const raises = [published("lst_c", "1"), published("lst_a", "2"), published("lst_b", "2")];
  for (const order of [raises, raises.toReversed()]) expect(found(order)).toBe("lst_b");
});
