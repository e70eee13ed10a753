import { describe, expect, it } from "vitest";
import { retryAfterOf } from "../../client/problem.ts";
import { pauseAfter } from "./send.ts";

const HOUR = 3_600_000;

describe("the pause after a failure", () => {
  it("doubles from a second to an hour, and is drawn from its upper half", () => {
    const longest = Array.from({ length: 14 }, (_, index) => pauseAfter(index + 1, null, 1));
    expect(longest.slice(0, 5)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    expect(longest.slice(12)).toEqual([HOUR, HOUR]);
    expect(pauseAfter(4, null, 0)).toBe(4_000);
    expect(pauseAfter(5_000, null, 1)).toBe(HOUR);
    const drawn = new Set(Array.from({ length: 50 }, () => pauseAfter(10, null)));
    expect(drawn.size).toBeGreaterThan(10);
  });

  it("is no shorter than the receiver asks for, up to a day", () => {
    expect(pauseAfter(1, 60_000, 1)).toBe(60_000);
    expect(pauseAfter(10, 1_000, 1)).toBe(512_000);
    expect(pauseAfter(1, Number.MAX_SAFE_INTEGER, 1)).toBe(24 * HOUR);
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-11-24T12:00:00Z");
  it.each([
    ["120", 120_000],
    ["0", 0],
    [" 7 ", 7_000],
    ["Tue, 24 Nov 2026 12:00:30 GMT", 30_000],
    ["Tue, 24 Nov 2026 11:00:00 GMT", 0],
    ["Tuesday, 24-Nov-26 12:00:30 GMT", 30_000],
    ["-5", null],
    ["1.5", null],
    ["soon", null],
    ["2026", 2_026_000],
    [null, null],
  ])("%j asks for %j", (header, milliseconds) => {
    expect(retryAfterOf(header, now)).toBe(milliseconds);
  });
});
