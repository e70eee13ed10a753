import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatDate, formatTime, timeUntil } from "./times.ts";

const DAY = 86_400n;
const spanOf = (seconds: bigint) => timeUntil(iso(seconds), 0n);
const iso = (seconds: bigint) => new Date(Number(seconds) * 1000).toISOString();

describe("a moment", () => {
  it.each([
    ["2026-03-01T12:00:00Z", "1 Mar 2026, 12:00 UTC"],
    ["2026-11-21T13:44:59Z", "21 Nov 2026, 13:44 UTC"],
    ["2026-01-01T00:00:00Z", "1 Jan 2026, 00:00 UTC"],
    ["2025-12-31T23:59:59Z", "31 Dec 2025, 23:59 UTC"],
    ["2026-03-01T12:00:00+05:30", "1 Mar 2026, 06:30 UTC"],
  ])("%s reads %s", (moment, expected) => expect(formatTime(moment)).toBe(expected));

  it("is a day where the time of day says nothing", () => {
    expect(formatDate("2026-03-01T23:59:59Z")).toBe("1 Mar 2026");
    expect(formatDate("2026-03-01")).toBe("1 Mar 2026");
  });

  it("is the same for every reader, and to the minute what it says", () => {
    const moments = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds - (seconds % 60));
    fc.assert(
      fc.property(moments, fc.nat(59), (minute, rest) => {
        const shown = formatTime(iso(BigInt(minute + rest)));
        expect(Date.parse(shown.replace(",", "")) / 1000).toBe(minute);
      }),
    );
  });
});

describe("a span", () => {
  it.each([
    [1n, "less than a minute"],
    [59n, "less than a minute"],
    [60n, "1 minute"],
    [119n, "1 minute"],
    [120n, "2 minutes"],
    [3_599n, "59 minutes"],
    [3_600n, "1 hour"],
    [7_199n, "1 hour"],
    [DAY - 1n, "23 hours"],
    [DAY, "1 day"],
    [2n * DAY - 1n, "1 day"],
    [2n * DAY, "2 days"],
    [400n * DAY, "400 days"],
    [1_000n * DAY, "1,000 days"],
  ])("with %d seconds is %s", (seconds, expected) => expect(spanOf(seconds)).toBe(expected));

  it("is never longer than it is, and short of it by less than its unit", () => {
    const units: Record<string, bigint> = { minute: 60n, hour: 3_600n, day: DAY };
    fc.assert(
      fc.property(fc.bigInt({ min: 60n, max: 2n ** 32n }), (seconds) => {
        const [, count = "", name = ""] = /^([\d,]+) (minute|hour|day)s?$/.exec(spanOf(seconds) ?? "") ?? [];
        const [number, unit] = [BigInt(count.replaceAll(",", "")), units[name] ?? 0n];
        expect(number * unit).toBeLessThanOrEqual(seconds);
        expect((number + 1n) * unit).toBeGreaterThan(seconds);
      }),
    );
  });
});

describe("the time until a moment", () => {
  const now = 1_772_366_400n;

  it.each([
    [-1n, null],
    [0n, null],
    [1n, "less than a minute"],
    [3_600n, "1 hour"],
    [10n * DAY, "10 days"],
  ])("%d seconds ahead is %s", (ahead, expected) => {
    expect(timeUntil(iso(now + ahead), now)).toBe(expected);
  });

  it("is that of the chain's clock, whatever the machine's says", () => {
    expect(timeUntil("1970-01-02T00:00:00Z", 0n)).toBe("1 day");
    expect(timeUntil("9999-12-31T00:00:00Z", 253_402_214_400n)).toBeNull();
  });
});
