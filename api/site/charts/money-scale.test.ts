import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { abbreviateAmount, moneyAxis, ratio } from "./scales.ts";

const ONE = 10n ** 18n;
const MOST = 2n ** 256n - 1n;
const amount = fc.oneof(fc.bigInt(0n, 50n), fc.bigInt(0n, 10n ** 25n), fc.bigInt(0n, MOST));

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
