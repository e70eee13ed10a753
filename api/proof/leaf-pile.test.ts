import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { createLeafPile } from "./leaf-pile.ts";

const leavesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const key = createHash("sha256").update(`${index}`).digest("hex");
    return { key, hash: `0x${key}` as const };
  });

it.each([0, 1, 99, 1_000, 4_321])(
  "returns %i leaves in an order that keeps keys of one beginning together",
  (count) => {
    const leaves = leavesOf(count);
    const pile = createLeafPile();
    for (const leaf of leaves) pile.add(leaf);
    const parts = [...pile.inOrder()];
    const found = parts.flat();
    expect(found.toSorted((a, b) => (a.key < b.key ? -1 : 1))).toEqual(
      leaves.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    );
    const beginnings = found.map(({ key }) => key.slice(0, 3));
    expect(beginnings).toEqual(beginnings.toSorted());
    expect(parts.every((part, index) => part.length >= 100 || index === parts.length - 1)).toBe(true);
    // A part is not much more than it has to be, so that others can work between two.
    expect(Math.max(0, ...parts.map((part) => part.length))).toBeLessThan(200);
  },
);
