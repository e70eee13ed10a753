/**
 * Money on an axis: exact integers until the last step, the position on the axis.
 * @module
 */
import { formatAmount, ONE } from "../../market/amount.ts";

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
  const span = most > 0n ? most : ONE;
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

/** An amount on an axis or in a legend. The exact one is in the chart's table. */
export function abbreviateAmount(baseUnits: string | bigint): string {
  return formatAmount(baseUnits, { unit: null, digits: "short" });
}
