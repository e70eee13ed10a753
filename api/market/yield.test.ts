import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chargeOf, priceBps, toBps, yieldToMaturityBps } from "./yield.ts";

const at = (price: bigint, remainingDays = 180n) =>
  yieldToMaturityBps({ couponBps: 1450n, tenorDays: 180n, price, remainingDays });

describe("yieldToMaturityBps", () => {
  // 14.50% for 180 days pay 10000 + 1450·180/365 = 10715 (floor) for 10000.
  it.each([
    // 715 for 180 days: 715·365/180 = 1449.86
    [10_000n, 180n, 1449n],
    // 10715·10000/9500 = 11278; 1278·365/180 = 2591.5
    [9_500n, 180n, 2591n],
    // the same gain in a tenth of the time
    [9_500n, 18n, 25_915n],
    [10_715n, 180n, 0n],
    // 10715·10000/10716 = 9999; −1·365/180 = −2.03: a floor is −3
    [10_716n, 180n, -3n],
    // 10715·10000/12000 = 8929; −1071·365/180 = −2171.75
    [12_000n, 180n, -2172n],
    [10_000n, 365n, 715n],
  ])("at a price of %i with %i days left: %i", (price, days, expected) => {
    expect(at(price, days)).toBe(expected);
  });

  it("is what the formula gives in exact fractions, each division a floor", () => {
    const floor = (numerator: bigint, denominator: bigint) => {
      let quotient = numerator / denominator;
      while (quotient * denominator > numerator) quotient -= 1n;
      return quotient;
    };
    const property = fc.property(
      fc.bigInt(0n, 2n ** 32n),
      fc.bigInt(0n, 2n ** 32n),
      fc.bigInt(1n, 2n ** 256n),
      fc.bigInt(1n, 2n ** 64n),
      (couponBps, tenorDays, price, remainingDays) => {
        const payoff = 10_000n + floor(couponBps * tenorDays, 365n);
        const expected = floor((floor(payoff * 10_000n, price) - 10_000n) * 365n, remainingDays);
        expect(yieldToMaturityBps({ couponBps, tenorDays, price, remainingDays })).toBe(expected);
      },
    );
    fc.assert(property);
  });
});

describe("prices", () => {
  it("are rounded down, charges up, as the desk does", () => {
    expect(priceBps(95n, 100n)).toBe(9_500n);
    expect(priceBps(1n, 3n)).toBe(3_333n);
    expect(chargeOf(100n, 9_500n)).toBe(95n);
    expect(chargeOf(1n, 9_500n)).toBe(1n);
    expect(chargeOf(10_001n, 1n)).toBe(2n);
    expect(chargeOf(0n, 9_500n)).toBe(0n);
  });

  it("stay within what a JSON number can say", () => {
    expect([0n, -3n, 9_500n, 2n ** 53n - 1n, 2n ** 53n, -(2n ** 60n)].map(toBps)).toEqual([
      0,
      -3,
      9_500,
      Number.MAX_SAFE_INTEGER,
      Number.MAX_SAFE_INTEGER,
      -Number.MAX_SAFE_INTEGER,
    ]);
  });
});
