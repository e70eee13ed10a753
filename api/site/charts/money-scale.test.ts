import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { abbreviateAmount, moneyAxis, ratio } from "./money-scale.ts";

const ONE = 10n ** 18n;
const MOST = 2n ** 256n - 1n;
const amount = fc.oneof(fc.bigInt(0n, 50n), fc.bigInt(0n, 10n ** 25n), fc.bigInt(0n, MOST));

describe("an abbreviated amount", () => {
  it.each([
    [0n, "0"],
    [1n, "1e-18"],
    [ONE / 100n - 1n, "9.99e-3"],
    [ONE / 100n, "0.01"],
    [ONE / 2n, "0.5"],
    [ONE, "1"],
    [999n * ONE + ONE - 1n, "999.9"],
    [1_000n * ONE, "1k"],
    [12_500n * ONE, "12.5k"],
    [49_999n * ONE, "49.99k"],
    [999_999n * ONE, "999.9k"],
    [1_234_567n * ONE, "1.234M"],
    [2_000_000_000n * ONE, "2B"],
    [300n * 10n ** 12n * ONE, "300T"],
    [10n ** 15n * ONE, "1e15"],
    [MOST, "1.15e59"],
  ])("of %s base units is %s", (baseUnits, shown) => {
    expect(abbreviateAmount(baseUnits)).toBe(shown);
  });

  it("is never more than there is, and less by a hundredth at most", () => {
    fc.assert(
      fc.property(fc.bigInt(ONE / 100n, 10n ** 33n - 1n), (baseUnits) => {
        const [, digits = "", suffix = ""] = /^([\d.]+)([kMBT]?)$/.exec(abbreviateAmount(baseUnits)) ?? [];
        const [whole = "", decimals = ""] = digits.split(".");
        const unit = ONE * 1_000n ** BigInt(["", "k", "M", "B", "T"].indexOf(suffix));
        const read = (BigInt(whole + decimals) * unit) / 10n ** BigInt(decimals.length);
        expect(read).toBeLessThanOrEqual(baseUnits);
        // Below a dollar there are cents only.
        if (baseUnits >= ONE) expect(baseUnits - read).toBeLessThan(baseUnits / 99n);
        else expect(baseUnits - read).toBeLessThan(ONE / 100n);
      }),
    );
  });
});

describe("an axis of money", () => {
  it("has what it must in few equal steps of 1, 2 or 5, each with a name of its own", () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 2, max: 8 }), (most, count) => {
        const { top, ticks } = moneyAxis(most, count);
        expect(top).toBeGreaterThanOrEqual(most);
        expect(ticks[0]).toBe(0n);
        expect(ticks.at(-1)).toBe(top);
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(count + 1);
        const step = ticks[1] ?? 0n;
        expect(ticks).toEqual(ticks.map((_, index) => BigInt(index) * step));
        expect(`${step}`).toMatch(/^[125]0*$/);
        expect(top - step).toBeLessThan(most > 0n ? most : ONE);
        expect(new Set(ticks.map(abbreviateAmount)).size).toBe(ticks.length);
      }),
    );
  });
});

describe("a share", () => {
  it("is a number from 0 to 1, the larger the more there is, and right to a ten-millionth", () => {
    fc.assert(
      fc.property(amount, amount, amount, (a, b, whole) => {
        const [less, more] = a < b ? [ratio(a, whole), ratio(b, whole)] : [ratio(b, whole), ratio(a, whole)];
        expect(less).toBeGreaterThanOrEqual(0);
        expect(more).toBeLessThanOrEqual(1);
        expect(less).toBeLessThanOrEqual(more);
        if (whole > 0n && a <= whole)
          expect(Math.abs(ratio(a, whole) - Number(a) / Number(whole))).toBeLessThan(2e-7);
      }),
    );
    expect(ratio(5n, 0n)).toBe(0);
    expect(ratio(0n, 0n)).toBe(0);
  });
});
