import { describe, expect, it } from "vitest";
import { createBatches, createPace, createRanges } from "./limits.ts";

/** Begins requests until none is free, and answers them all. */
function round(pace: ReturnType<typeof createPace>, now: number, duration: number): number {
  let count = 0;
  for (; pace.isFree(now) && count < 1_000; count += 1) pace.begin();
  for (let index = 0; index < count; index += 1) pace.succeed("logs", duration);
  return count;
}

describe("createPace", () => {
  it("starts low and rises to its limit while the answers are quick", () => {
    const pace = createPace(32);
    const counts = Array.from({ length: 60 }, () => round(pace, 0, 50));
    expect(counts[0]).toBe(4);
    expect(counts[4]).toBeGreaterThan(4);
    expect(counts.at(-1)).toBe(32);
  });

  it("never has more requests under way than allowed", () => {
    expect(round(createPace(2), 0, 50)).toBe(2);
  });

  it("rises no further while the answers are slow", () => {
    const pace = createPace(1_000);
    round(pace, 0, 10);
    const before = round(pace, 0, 10);
    const slow = Array.from({ length: 20 }, () => round(pace, 0, 1_000));
    expect(Math.max(...slow)).toBeLessThanOrEqual(before + 1);
  });

  it("judges an answer by others of its kind", () => {
    const pace = createPace(32);
    for (let index = 0; index < 60; index += 1) {
      let count = 0;
      for (; pace.isFree(0); count += 1) pace.begin();
      for (; count > 0; count -= 1) {
        if (count % 2 === 0) pace.succeed("block", 1);
        else pace.succeed("logs", 900);
      }
    }
    expect(round(pace, 0, 50)).toBe(32);
  });

  it("halves and pauses once for the requests that are refused together, as long as it is told to", () => {
    const pace = createPace(32);
    for (let index = 0; index < 60; index += 1) round(pace, 0, 50);
    for (let index = 0; index < 32; index += 1) pace.begin();
    for (let index = 0; index < 32; index += 1) pace.slowDown(1_000, 5_000);
    expect(pace.isFree(1_000)).toBe(false);
    expect(pace.pausedUntil()).toBe(6_000);
    expect(round(pace, 6_000, 50)).toBe(16);
  });

  it("pauses longer with each failure, never longer than half a minute, and not at all after a success", () => {
    const pace = createPace(8);
    const pauses: number[] = [];
    for (let now = 0; pauses.length < 10; now = pace.pausedUntil()) {
      pace.begin();
      pace.fail(now);
      pauses.push(pace.pausedUntil() - now);
    }
    expect(pauses.slice(0, 3)).toEqual([250, 500, 1_000]);
    expect(pauses.at(-1)).toBe(30_000);
    const now = pace.pausedUntil();
    expect(round(pace, now, 50)).toBe(1);
    pace.begin();
    pace.fail(now);
    expect(pace.pausedUntil() - now).toBe(250);
  });
});

/** Sizes of the batches that an endpoint with a limit gets. */
function sizes(count: number, limit: number, isLimit: boolean): number[] {
  const batches = createBatches();
  return Array.from({ length: count }, () => {
    const size = batches.size();
    if (size > limit) batches.refused(size, isLimit);
    else batches.took(size);
    return size;
  });
}

describe("createBatches", () => {
  it("halves what has failed twice in a row", () => {
    expect(sizes(8, 10, false)).toEqual([50, 50, 25, 25, 12, 12, 6, 6]);
  });

  it("takes no more from batches that were sent together", () => {
    const batches = createBatches();
    expect([1, 2, 3, 4].map(() => batches.refused(50, false))).toEqual([false, true, true, true]);
    expect(batches.size()).toBe(25);
  });

  it("halves what is refused, down to single requests", () => {
    expect(sizes(7, 0, true)).toEqual([50, 25, 12, 6, 3, 1, 1]);
  });

  it.each([1, 3, 10, 49])("comes to a limit of %i that the endpoint names, and stays at it", (limit) => {
    const tried = sizes(1_000, limit, true);
    expect(tried.slice(-500).filter((size) => size !== limit)).toEqual([]);
  });

  it("tries larger ones now and then where the reason was not told", () => {
    const tried = sizes(1_000, 3, false);
    const refused = tried.filter((size) => size > 3).length;
    expect(refused).toBeGreaterThan(5);
    expect(refused).toBeLessThan(60);
  });

  it("is back at the largest after a failure that is over", () => {
    const batches = createBatches();
    for (let failure = 0; failure < 20; failure += 1) batches.refused(batches.size(), false);
    for (let answer = 0; answer < 400; answer += 1) batches.took(batches.size());
    expect(batches.size()).toBe(50);
  });

  it("learns nothing from small batches", () => {
    const batches = createBatches();
    batches.refused(50, true);
    for (let answer = 0; answer < 400; answer += 1) batches.took(2);
    expect(batches.size()).toBe(25);
  });
});

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
