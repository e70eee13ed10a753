import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatAmount, formatRate } from "./amount.ts";

describe("formatAmount", () => {
  it.each([
    ["0", "0.00 USD-test"],
    ["1", "<0.01 USD-test"],
    ["9999999999999999", "<0.01 USD-test"],
    ["10000000000000000", "0.01 USD-test"],
    ["1250500000000000000000", "1,250.50 USD-test"],
    ["999999999999999999999", "999.99 USD-test"],
    ["1000000000000000000000000", "1,000,000.00 USD-test"],
  ])("%s is %s", (baseUnits, text) => {
    expect(formatAmount(baseUnits)).toBe(text);
  });

  it("names the token where the amount is one of tokens", () => {
    expect(formatAmount("2500000000000000000", "RB00042")).toBe("2.50 RB00042");
  });

  it("is never more than the amount, and less by under a cent", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 10n ** 16n, max: 2n ** 200n }), (amount) => {
        const digits = formatAmount(amount.toString()).replace(/[^\d]/g, "");
        const cents = BigInt(digits) * 10n ** 16n;
        return cents <= amount && amount - cents < 10n ** 16n;
      }),
    );
  });
});

describe("formatRate", () => {
  it.each([
    [0, "0.00 %"],
    [5, "0.05 %"],
    [1450, "14.50 %"],
    [1449, "14.49 %"],
  ])("%i basis points are %s", (basisPoints, text) => {
    expect(formatRate(basisPoints)).toBe(text);
  });
});
