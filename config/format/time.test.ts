import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isoTime, notAfter, parseBlockOrTime, parseEnd, parseTime } from "./time.ts";

describe("parseBlockOrTime", () => {
  it.each([
    ["0", { block: 0n }],
    ["48211034", { block: 48_211_034n }],
    ["007", { block: 7n }],
    ["99999999999999999999", { block: 99_999_999_999_999_999_999n }],
    ["2026-03-01T12:00:00Z", { time: 1_772_366_400n }],
    ["2026-03-01T12:00Z", { time: 1_772_366_400n }],
    ["2026-03-01T12:00:00.999Z", { time: 1_772_366_400n }],
    ["2026-03-01T14:30:00+02:30", { time: 1_772_366_400n }],
    ["1969-12-31T23:59:59Z", { time: -1n }],
    ["2026-03-01", { time: 1_772_323_200n }],
    ["2028-02-29", { time: 1_835_395_200n }],
  ])("%s", (text, moment) => expect(parseBlockOrTime(text)).toEqual(moment));

  it.each([
    "",
    "-1",
    "+1",
    "1.5",
    "0x10",
    "1e3",
    " 1",
    "999999999999999999999",
    "2026-02-29",
    "2026-13-01",
    "2026-3-1",
    "2026-03",
    "2026-03-01Z",
    " 2026-03-01",
    "2026-03-01 12:00:00Z",
    "2026-03-01T12:00:00",
    "2026-13-01T12:00:00Z",
    "2026-02-30T12:00:00Z",
    "2026-03-01T25:00:00Z",
    "yesterday",
    "head",
    "\u0000",
    "١٢",
  ])("%j is no moment", (text) => expect(parseBlockOrTime(text)).toBeNull());

  it.each([
    ["2026-03-01", { time: 1_772_409_599n }],
    ["2026-03-01T00:00:00Z", { time: 1_772_323_200n }],
    ["48211034", { block: 48_211_034n }],
    ["2026-02-29", null],
  ])("the end %s is the last second of a date, and any other moment itself", (text, moment) =>
    expect(parseEnd(text)).toEqual(moment),
  );

  it("reads back every second that the service writes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799 }), (seconds) => {
        const text = new Date(seconds * 1000).toISOString();
        expect(parseTime(text)).toBe(BigInt(seconds));
        expect(parseTime(text.replace(".000", ""))).toBe(BigInt(seconds));
      }),
    );
  });
});

it("writes seconds as dates are written, up to the end of the year 9999", () => {
  fc.assert(
    fc.property(fc.integer({ min: -86_400, max: 253_402_300_799 }), (seconds) => {
      const text = new Date(seconds * 1000).toISOString();
      expect(isoTime(BigInt(seconds))).toBe(text.replace(".000", ""));
    }),
  );
  expect(isoTime(2n ** 255n)).toBe("9999-12-31T23:59:59Z");
});

describe("notAfter", () => {
  const head = { number: 100n, timestamp: 5_000n };
  it.each([
    [null, { block: 100n }],
    [{ block: 99n }, { block: 99n }],
    [{ block: 101n }, { block: 100n }],
    [{ time: 5_000n }, { time: 5_000n }],
    [{ time: 5_001n }, { block: 100n }],
  ])("%o", (moment, narrowed) => expect(notAfter(moment, head)).toEqual(narrowed));
});
