import { describe, expect, it } from "vitest";
import { createPace } from "./pace.ts";

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
