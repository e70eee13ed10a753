import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chargeOf, priceBps, remainingPerTokenBps, toBps, yieldToMaturityBps } from "./yield.ts";

describe("yieldToMaturityBps", () => {
  it.each([
    // 715 for 180 days: 715·365/180 = 1449.86
    [10_715n, 10_000n, 180n, 1449n],
    // 10715·10000/9500 = 11278; 1278·365/180 = 2591.5
    [10_715n, 9_500n, 180n, 2591n],
    // the same gain in a tenth of the time
    [10_715n, 9_500n, 18n, 25_915n],
    [10_715n, 10_715n, 180n, 0n],
    // 10715·10000/10716 = 9999; −1·365/180 = −2.03: a floor is −3
    [10_715n, 10_716n, 180n, -3n],
    // 5639·10000/9880 = 5707; −4293·365/100 = −15669.45
    [5_639n, 9_880n, 100n, -15_670n],
    // All was paid: the whole price is lost.
    [0n, 9_880n, 365n, -10_000n],
    // More was paid than was due: −1·10000/9880 is −2, as a floor.
    [-1n, 9_880n, 365n, -10_002n],
  ])(
    "with %i still to be paid, a price of %i and %i days left gives %i",
    (perToken, price, days, expected) => {
      expect(yieldToMaturityBps({ perToken, price, remainingDays: days })).toBe(expected);
    },
  );

  it("are what the formulas give in exact fractions, each division a floor", () => {
    const floor = (numerator: bigint, denominator: bigint) => {
      const down = numerator / denominator;
      return down * denominator > numerator ? down - 1n : down;
    };
    const money = fc.bigInt(0n, 2n ** 256n);
    const property = fc.property(
      fc.record({ principal: fc.bigInt(1n, 2n ** 256n), total: money, paid: money }),
      fc.bigInt(1n, 2n ** 256n),
      fc.bigInt(1n, 2n ** 64n),
      (loan, price, remainingDays) => {
        const perToken = floor((loan.total - loan.paid) * 10_000n, loan.principal);
        expect(remainingPerTokenBps(loan)).toBe(perToken);
        const expected = floor((floor(perToken * 10_000n, price) - 10_000n) * 365n, remainingDays);
        expect(yieldToMaturityBps({ perToken, price, remainingDays })).toBe(expected);
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
