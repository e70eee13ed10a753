import { describe, expect, it } from "vitest";
import { createBatches } from "./batches.ts";

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
