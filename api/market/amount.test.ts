import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatAmount, formatRate } from "./amount.ts";

const ONE = 10n ** 18n;
const MOST = 2n ** 256n - 1n;

describe("formatAmount", () => {
  it.each([
    ["0", "0 USD-test"],
    ["1", "<0.01 USD-test"],
    ["9999999999999999", "<0.01 USD-test"],
    ["10000000000000000", "0.01 USD-test"],
    ["1250500000000000000000", "1,250.50 USD-test"],
    ["999999999999999999999", "999.99 USD-test"],
    ["1000000000000000000000000", "1,000,000 USD-test"],
  ])("%s is %s", (baseUnits, text) => {
    expect(formatAmount(baseUnits)).toBe(text);
  });

  it("names the token where the amount is one of tokens", () => {
    expect(formatAmount("2500000000000000000", { unit: "RB00042" })).toBe("2.50 RB00042");
  });

  it.each([
    [0n, "0 USD-test"],
    [1n, "0.000000000000000001 USD-test"],
    [ONE / 2n, "0.50 USD-test"],
    [1_250n * ONE + 1n, "1,250.000000000000000001 USD-test"],
  ])("%s is %s with all digits", (baseUnits, text) => {
    expect(formatAmount(baseUnits, { digits: "all" })).toBe(text);
  });

  it("has every digit when asked for all", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: MOST }), (amount) => {
        const [whole = "", decimals = ""] = formatAmount(amount, { unit: null, digits: "all" }).split(".");
        expect(BigInt(whole.replaceAll(",", "") + decimals.padEnd(18, "0"))).toBe(amount);
        expect(whole).toMatch(/^\d{1,3}(,\d{3})*$/);
      }),
    );
  });

  it("is never more than the amount, and less by under a cent", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 10n ** 16n, max: 2n ** 200n }), (amount) => {
        const [whole = "", hundredths = "00"] = formatAmount(amount, { unit: null })
          .replaceAll(",", "")
          .split(".");
        const cents = BigInt(whole + hundredths) * 10n ** 16n;
        return cents <= amount && amount - cents < 10n ** 16n;
      }),
    );
  });
});

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
    expect(formatAmount(baseUnits, { unit: null, digits: "short" })).toBe(shown);
  });

  it.each([
    // 36.674 thousand, 139.15, 120.25 and just below a million
    [36_674n * ONE, "36.67k"],
    [139_150n * ONE, "139.2k"],
    [120_250n * ONE, "120.3k"],
    [999_999n * ONE, "1M"],
    [(999n * ONE) / 1_000n, "1"],
    [MOST, "1.16e59"],
  ])("of %s base units is rounded to %s on an axis", (baseUnits, shown) => {
    expect(formatAmount(baseUnits, { unit: null, digits: "rounded" })).toBe(shown);
  });

  it("is never more than there is, and less by a hundredth at most", () => {
    fc.assert(
      fc.property(fc.bigInt(ONE / 100n, 10n ** 33n - 1n), (baseUnits) => {
        const [, digits = "", suffix = ""] =
          /^([\d.]+)([kMBT]?)$/.exec(formatAmount(baseUnits, { unit: null, digits: "short" })) ?? [];
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

describe("formatRate", () => {
  it.each([
    [0, "0.00%"],
    [5, "0.05%"],
    [1450, "14.50%"],
    [1449, "14.49%"],
  ])("%i basis points are %s", (basisPoints, text) => {
    expect(formatRate(basisPoints)).toBe(text);
  });
});
