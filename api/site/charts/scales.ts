/** @module The scales of money (exact integers until the position), of rates (basis points) and of time (UTC). */
import { scaleLinear, scaleUtc } from "d3-scale";
import { LAST_SECOND } from "../../../config/format/time.ts";
import { formatAmount, formatRate, ONE } from "../../market/amount.ts";
import { CLOCK, utcFormat } from "../times.ts";

/** Finer than a thousandth of a pixel on any screen. */
const STEPS = 10_000_000n;

/** `part` of `whole` as a number from 0 to 1, for amounts of any size. 0 of 0 is 0. */
export function ratio(part: bigint, whole: bigint): number {
  if (part <= 0n || whole <= 0n) return 0;
  if (part >= whole) return 1;
  return Number((part * STEPS) / whole) / Number(STEPS);
}

/** Days further ahead than this are left to the text: the rest of a chart would be too narrow to read. */
export const FURTHEST_SECONDS = 5n * 366n * 86_400n;

export function largest(numbers: readonly bigint[]): bigint {
  return numbers.reduce((a, b) => (a > b ? a : b));
}

export type MoneyAxis = {
  /** end of the axis, which begins at 0; base units, above 0 */
  top: bigint;
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
  return formatAmount(baseUnits, { unit: null, digits: "rounded" });
}

type RateAxis = { ticks: readonly number[]; place(basisPoints: number): number };

/** Smallest span of an axis in basis points: with equal rates it would have no length. */
const LEAST_SPAN = 40;

/** An axis around these rates, in about `count` round steps; `place` is 0 at its bottom and 1 at its top. */
export function rateAxis(rates: readonly number[], count: number): RateAxis {
  const lowest = Math.min(...rates);
  const highest = Math.max(...rates);
  const room = Math.max(0, (LEAST_SPAN - (highest - lowest)) / 2);
  const scale = scaleLinear([lowest - room, highest + room], [0, 1]).nice(count);
  return { ticks: scale.ticks(count), place: (basisPoints) => scale(basisPoints) };
}

/** From a thousand percent on, digits are cut. */
const LONG = 100_000;
const COMPACT = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 4 });

export function abbreviateRate(basisPoints: number): string {
  return Math.abs(basisPoints) < LONG ? formatRate(basisPoints) : `${COMPACT.format(basisPoints / 100)}%`;
}

const DAY = 86_400_000;

/** Times on the axis of a drawing. */
export const TIME_TICKS = { narrow: 3, middle: 5, wide: 7 } as const;

const YEAR = utcFormat({ year: "numeric" });
const MONTH = utcFormat({ month: "short", year: "numeric" });
const DAY_OF_YEAR = utcFormat({ day: "numeric", month: "short", year: "numeric" });
const DAY_OF_MONTH = utcFormat({ day: "numeric", month: "short" });
export type TimeTick = {
  /** unix seconds */
  at: bigint;
  label: string;
};

/** Round times within `from` and `to` (unix seconds), about `count` of them. */
export function timeTicks(from: bigint, to: bigint, count: number): TimeTick[] {
  const moments = scaleUtc([dateOf(from), dateOf(to)], [0, 1]).ticks(count);
  const [first, second] = moments;
  if (first === undefined) return [];
  const step = second === undefined ? DAY : second.getTime() - first.getTime();
  return moments
    .map((moment, index) => ({
      at: BigInt(Math.floor(moment.getTime() / 1000)),
      label: labelOf(moment, step, index === 0),
    }))
    .filter(({ at }) => at >= from && at <= to);
}

/** The first tick has the year where the others omit it. */
function labelOf(moment: Date, step: number, isFirst: boolean): string {
  if (step >= 360 * DAY) return YEAR.format(moment);
  if (step >= 27 * DAY) return MONTH.format(moment);
  if (isFirst) return DAY_OF_YEAR.format(moment);
  if (step >= DAY || moment.getTime() % DAY === 0) return DAY_OF_MONTH.format(moment);
  return CLOCK.format(moment);
}

function dateOf(seconds: bigint): Date {
  const within = seconds > LAST_SECOND ? LAST_SECOND : seconds;
  return new Date(Number(within) * 1000);
}
