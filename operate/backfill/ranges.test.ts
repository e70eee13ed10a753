import { describe, expect, it } from "vitest";
import { createRanges } from "./ranges.ts";

describe("createRanges", () => {
  it("keeps to the operator's choice", () => {
    const ranges = createRanges(50);
    ranges.took(50, 0);
    ranges.refused(50);
    expect(ranges.span()).toBe(50);
  });

  it("doubles over empty blocks, to a limit", () => {
    const ranges = createRanges(null);
    const spans = Array.from({ length: 20 }, () => {
      ranges.took(ranges.span(), 0);
      return ranges.span();
    });
    expect(spans.slice(0, 3)).toEqual([100, 200, 400]);
    expect(spans.at(-1)).toBe(100_000);
  });

  it("shrinks where a page would hold too many logs", () => {
    const ranges = createRanges(null);
    for (let page = 0; page < 10; page += 1) ranges.took(ranges.span(), ranges.span() * 50);
    expect(ranges.span()).toBe(40);
  });

  it("halves what is refused, and tests the limit again a little later", () => {
    const ranges = createRanges(null);
    for (let page = 0; page < 6; page += 1) ranges.took(ranges.span(), 0);
    const refused = ranges.span();
    ranges.refused(refused);
    expect(ranges.span()).toBe(refused / 2);
    ranges.took(ranges.span(), 0);
    expect(ranges.span()).toBeGreaterThan(refused / 2);
    expect(ranges.span()).toBeLessThan(refused * 0.55);
  });

  it("learns from whole ranges, not from the rest of a split one", () => {
    const ranges = createRanges(null);
    ranges.took(3, 0);
    expect(ranges.span()).toBe(50);
  });

  it("is never less than a block", () => {
    const ranges = createRanges(null);
    ranges.refused(1);
    ranges.refused(1);
    expect(ranges.span()).toBe(1);
  });
});
