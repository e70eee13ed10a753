/** @module Periods of the calendar by the calendar's own rules, and the yearly return of cash flows by exact fractions. */
import { DAY } from "./instant.ts";

/** The period with a moment (unix seconds): its first second, the first second of the next, and its name. */
export function periodAt(moment: bigint, by: string): { start: bigint; end: bigint; name: string } {
  const date = new Date(Number(moment) * 1_000);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const day = moment - (((moment % DAY) + DAY) % DAY);
  const seconds = (...of: [number, number]) => BigInt(Date.UTC(...of)) / 1_000n;
  const iso = date.toISOString();
  if (by === "day") return { start: day, end: day + DAY, name: iso.slice(0, 10) };
  if (by === "week") {
    // Monday is the first day, Sunday the seventh.
    const weekday = BigInt((date.getUTCDay() + 6) % 7);
    const start = day - weekday * DAY;
    return { start, end: start + 7n * DAY, name: weekName(start) };
  }
  if (by === "month")
    return { start: seconds(year, month), end: seconds(year, month + 1), name: iso.slice(0, 7) };
  if (by === "year") return { start: seconds(year, 0), end: seconds(year + 1, 0), name: `${year}` };
  const first = month - (month % 3);
  return { start: seconds(year, first), end: seconds(year, first + 3), name: `${year}-Q${first / 3 + 1}` };
}

/** Week 1 is the one with January 4. @param monday its first second */
function weekName(monday: bigint): string {
  const yearOf = (at: bigint) => new Date(Number(at) * 1_000).getUTCFullYear();
  const firstMonday = (year: number) => {
    const fourth = new Date(Date.UTC(year, 0, 4));
    return BigInt(fourth.getTime()) / 1_000n - BigInt((fourth.getUTCDay() + 6) % 7) * DAY;
  };
  const near = yearOf(monday);
  const year = [near + 1, near, near - 1].find((one) => firstMonday(one) <= monday) ?? near;
  const week = 1n + (monday - firstMonday(year)) / (7n * DAY);
  return `${year}-W${`${week}`.padStart(2, "0")}`;
}

/** The number of a moment's calendar month. */
export function monthOf(moment: bigint): number {
  const date = new Date(Number(moment) * 1_000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

const ONE = 10n ** 40n;

/**
 * The yearly rate in basis points, to the nearest, at which the payments are worth what was lent: null for none and above a million
 * percent, −10000 if nothing was paid. Found by trying rates in twentieths of a basis point, with forty decimals.
 */
export function yearlyReturn(
  lent: bigint,
  payments: readonly { day: bigint; amount: bigint }[],
): number | null {
  if (lent === 0n) return null;
  if (payments.every(({ amount }) => amount === 0n)) return -10_000;
  if (payments.filter(({ day }) => day === 0n).reduce((all, { amount }) => all + amount, 0n) >= lent)
    return null;
  // In twentieths of a basis point: half a point above and below are whole numbers.
  const isWorth = (rate: bigint) => {
    const factor = yearlyRoot((ONE * 200_000n) / (200_000n + rate));
    const worth = payments.reduce((all, { day, amount }) => all + amount * power(factor, day), 0n);
    return worth >= lent * ONE;
  };
  let [low, high] = [-200_000n + 1n, 20n * 100_000_000n + 10n];
  if (!isWorth(low)) return -10_000;
  if (isWorth(high)) return null;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (isWorth(middle)) low = middle;
    else high = middle;
  }
  return Math.round(Number(low) / 20);
}

/** The number whose 365th power this is. */
function yearlyRoot(value: bigint): bigint {
  let [low, high] = [0n, 2n * ONE];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (power(middle, 365n) <= value) low = middle;
    else high = middle;
  }
  return low;
}

function power(base: bigint, exponent: bigint): bigint {
  let [result, square, left] = [ONE, base, exponent];
  for (; left > 0n; left /= 2n) {
    if (left % 2n === 1n) result = (result * square) / ONE;
    square = (square * square) / ONE;
  }
  return result;
}
