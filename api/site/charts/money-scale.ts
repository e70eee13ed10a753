/**
 * Money on an axis: exact integers until the last step, the position on the axis.
 * @module
 */

const BASE_UNITS = 10n ** 18n;
const SUFFIXES = ["", "k", "M", "B", "T"] as const;
/** Finer than a thousandth of a pixel on any screen. */
const STEPS = 10_000_000n;

/** `part` of `whole` as a number from 0 to 1, for amounts of any size. 0 of 0 is 0. */
export function ratio(part: bigint, whole: bigint): number {
  if (part <= 0n || whole <= 0n) return 0;
  if (part >= whole) return 1;
  return Number((part * STEPS) / whole) / Number(STEPS);
}

export type MoneyAxis = {
  /** end of the axis, which begins at 0; base units, above 0 */
  top: bigint;
  /** evenly spaced from 0 to `top` */
  ticks: readonly bigint[];
};

/** An axis for amounts up to `most` (base units) in at most `count` steps of 1, 2 or 5 times a power of ten. */
export function moneyAxis(most: bigint, count: number): MoneyAxis {
  const span = most > 0n ? most : BASE_UNITS;
  const steps = BigInt(Math.max(1, count));
  let power = 10n ** BigInt(Math.max(0, span.toString().length - 2));
  for (;;) {
    for (const factor of [1n, 2n, 5n]) {
      const step = factor * power;
      const needed = (span + step - 1n) / step;
      if (needed > steps) continue;
      const ticks = Array.from({ length: Number(needed) + 1 }, (_, index) => BigInt(index) * step);
      return { top: needed * step, ticks };
    }
    power *= 10n;
  }
}

/**
 * An amount in at most four digits, for axes and legends: "950", "118.9k", "3.2M"; "1.15e59" where no suffix is common.
 * Truncated, never rounded up. The chart's table has the exact amount.
 * @param baseUnits 18 decimals, not negative
 */
export function abbreviateAmount(baseUnits: bigint): string {
  if (baseUnits === 0n) return "0";
  const digits = baseUnits.toString();
  const exponent = digits.length - 19;
  const suffix = SUFFIXES[Math.floor(exponent / 3)];
  if (exponent < -2 || (exponent >= 0 && suffix === undefined)) {
    return `${trimZeros(`${digits[0]}.${digits.slice(1, 3).padEnd(2, "0")}`)}e${exponent}`;
  }
  if (exponent < 0) return trimZeros(`0.${((baseUnits * 100n) / BASE_UNITS).toString().padStart(2, "0")}`);
  const whole = (exponent % 3) + 1;
  return trimZeros(`${digits.slice(0, whole)}.${digits.slice(whole, 4)}`) + suffix;
}

function trimZeros(decimal: string): string {
  return decimal.replace(/\.?0*$/, "");
}
