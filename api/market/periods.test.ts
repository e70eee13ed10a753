import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { periodAt } from "../../test/model/periods.ts";
import { dayOf, endOfDay, nameOfPeriod, periodOf, startOfPeriod } from "./periods.ts";

const PERIODS = ["day", "week", "month", "quarter", "year"] as const;
const seconds = (text: string) => BigInt(Date.parse(text)) / 1_000n;
const nameAt = (text: string, by: (typeof PERIODS)[number]) =>
  nameOfPeriod(periodOf(dayOf(seconds(text)), by), by);

describe("periods of the calendar", () => {
  it.each([
    ["2026-03-01T12:00:00Z", ["2026-03-01", "2026-W09", "2026-03", "2026-Q1", "2026"]],
    // A Monday, a Sunday, and days that are of the week year before and after their own.
    ["2026-01-05T00:00:00Z", ["2026-01-05", "2026-W02", "2026-01", "2026-Q1", "2026"]],
    ["2026-01-04T23:59:59Z", ["2026-01-04", "2026-W01", "2026-01", "2026-Q1", "2026"]],
    ["2021-01-03T00:00:00Z", ["2021-01-03", "2020-W53", "2021-01", "2021-Q1", "2021"]],
    ["2024-12-30T00:00:00Z", ["2024-12-30", "2025-W01", "2024-12", "2024-Q4", "2024"]],
    ["1969-12-31T23:59:59Z", ["1969-12-31", "1970-W01", "1969-12", "1969-Q4", "1969"]],
  ])("have their names at %s", (at, names) => {
    expect(PERIODS.map((by) => nameAt(at, by))).toEqual(names);
  });

  it("begin and end where the calendar says, one after the other", () => {
    const moments = fc.bigInt({ min: -4_000_000_000n, max: 20_000_000_000n });
    fc.assert(
      fc.property(moments, fc.constantFrom(...PERIODS), (moment, by) => {
        const period = periodOf(dayOf(moment), by);
        const { start, end, name } = periodAt(moment, by);
        expect([startOfPeriod(period, by), startOfPeriod(period + 1, by)]).toEqual([start, end]);
        expect(nameOfPeriod(period, by)).toBe(name);
        expect(endOfDay(dayOf(moment)) >= moment && endOfDay(dayOf(moment)) < moment + 86_400n).toBe(true);
      }),
    );
  });
});
