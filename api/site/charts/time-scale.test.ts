import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { timeTicks } from "./scales.ts";

const seconds = (iso: string) => BigInt(Date.parse(iso) / 1000);
const labels = (from: string, to: string, count = 5) =>
  timeTicks(seconds(from), seconds(to), count).map(({ label }) => label);

describe("ticks of time", () => {
  it("are years, months, days or hours, as long as the axis is", () => {
    expect(labels("2020-05-01T00:00:00Z", "2025-05-01T00:00:00Z")).toEqual([
      "2021",
      "2022",
      "2023",
      "2024",
      "2025",
    ]);
    expect(labels("2025-01-15T00:00:00Z", "2025-12-20T00:00:00Z", 4)).toEqual([
      "Apr 2025",
      "Jul 2025",
      "Oct 2025",
    ]);
    expect(labels("2025-12-29T12:00:00Z", "2026-01-03T12:00:00Z")).toEqual([
      "30 Dec 2025",
      "31 Dec",
      "1 Jan",
      "2 Jan",
      "3 Jan",
    ]);
    expect(labels("2025-12-30T10:00:00Z", "2025-12-31T10:00:00Z", 4)).toEqual([
      "30 Dec 2025",
      "18:00",
      "31 Dec",
      "06:00",
    ]);
  });

  it("are few, in order, and read alike nowhere, whatever the chain says the time is", () => {
    const moment = fc.oneof(fc.bigInt(0n, 4_000_000_000n), fc.bigInt(0n, 2n ** 64n - 1n));
    fc.assert(
      fc.property(moment, moment, fc.integer({ min: 2, max: 8 }), (a, b, count) => {
        const [from, to] = a < b ? [a, b] : [b, a];
        const ticks = timeTicks(from, to, count);
        expect(ticks.length).toBeLessThanOrEqual(2 * count + 2);
        for (const [index, { at, label }] of ticks.entries()) {
          expect(at).toBeGreaterThanOrEqual(ticks[index - 1]?.at ?? 0n);
          expect(label).not.toContain("Invalid");
        }
      }),
    );
  });
});
