import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Stretch, stretchesOf } from "./stretches.ts";

const lengthOf = ({ from, to }: Stretch) => to - from + 1;
const blocksOf = (stretches: readonly Stretch[]) =>
  stretches.reduce((sum, stretch) => sum + lengthOf(stretch), 0);

describe("the blocks of a range that endpoints are compared on", () => {
  it.each([
    ["one block", { from: 7, to: 7 }, 2],
    ["6,000 blocks of two endpoints", { from: 1, to: 6_000 }, 2],
    ["240 blocks of fifty", { from: 1, to: 240 }, 50],
  ])("are all of %s", (_what, range, endpoints) => {
    expect(stretchesOf(range, { endpoints })).toEqual([range]);
  });

  it("are the first ones, half at the end, and eight stretches in between", () => {
    // (3,000 - 10) / 8 = 373 blocks in each eighth of the 80,000 blocks from 11 to 80,010.
    const eighth = (index: number) => ({ from: 11 + 10_000 * index, to: 383 + 10_000 * index });
    expect(stretchesOf({ from: 1, to: 83_010 }, { endpoints: 2 }, () => 0)).toEqual([
      { from: 1, to: 10 },
      ...Array.from({ length: 8 }, (_, index) => eighth(index)),
      { from: 80_011, to: 83_010 },
    ]);
  });

  it("can be any block of a long range", () => {
    const found = new Set<number>();
    for (let look = 0; look < 400; look++)
      for (const { from, to } of stretchesOf({ from: 1, to: 500 }, { endpoints: 50 }))
        for (let block = from; block <= to; block++) found.add(block);
    expect(found.size).toBe(500);
  });

  it("never are more, whatever the range, and never twice the same", () => {
    fc.assert(
      fc.property(fc.nat(1e9), fc.nat(1e8), fc.integer({ min: 2, max: 100 }), (from, more, endpoints) => {
        const stretches = stretchesOf({ from, to: from + more }, { endpoints });
        expect(blocksOf(stretches)).toBeLessThanOrEqual(Math.max(240, 12_000 / endpoints));
        expect(stretches[0]?.from).toBe(from);
        expect(stretches.at(-1)?.to).toBe(from + more);
        for (const [index, stretch] of stretches.entries()) {
          expect(lengthOf(stretch)).toBeGreaterThan(0);
          expect(stretch.from).toBeGreaterThan(stretches[index - 1]?.to ?? -1);
        }
      }),
    );
  });
});
