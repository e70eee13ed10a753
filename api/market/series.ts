/** @module The market over time: flows of each period of the calendar, and levels at its end. Pure. */
import { isoTime } from "../../config/format/time.ts";
import { type DayBook, noSums, type Sums } from "./day-book.ts";
import { dayOf, nameOfPeriod, periodOf, type SeriesPeriod, startOfPeriod } from "./periods.ts";
import { MEASURES } from "./raise-days.ts";
import type { SeriesPoint, SeriesSpan, SpanRefusal } from "./series-schema.ts";
import { priceBps, toBps } from "./yield.ts";

/** Most periods of an answer. */
const MOST_POINTS = 1_000;

type Period = { sums: Sums; secondsToFund: number[] };

/**
 * The points of a span, oldest first, without gaps.
 * @param books sums of raises that are in one book each
 * @param now the last indexed block's time, unix seconds
 */
export function seriesOf(
  books: readonly DayBook[],
  { by = "month", ...span }: SeriesSpan,
  now: bigint,
): readonly SeriesPoint[] | SpanRefusal {
  const found = rangeOf(books, { by, ...span }, now);
  if ("detail" in found) return found;
  const { first, last } = found;
  const total = noSums();
  const periods = new Map<number, Period>();
  for (const book of books) {
    for (const [day, { sums, secondsToFund }] of book) {
      const period = periodOf(day, by);
      if (period > last) continue;
      if (period < first) {
        addTo(total, sums);
        continue;
      }
      const known = periods.get(period) ?? { sums: noSums(), secondsToFund: [] };
      periods.set(period, known);
      addTo(known.sums, sums);
      known.secondsToFund.push(...secondsToFund);
    }
  }
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const own = periods.get(first + index) ?? NOTHING;
    addTo(total, own.sums);
    return pointOf(first + index, own, { total, by, now });
  });
}

const NOTHING: Period = { sums: noSums(), secondsToFund: [] };

function rangeOf(
  books: readonly DayBook[],
  { by, from, to }: SeriesSpan & { by: SeriesPeriod },
  now: bigint,
): { first: number; last: number } | SpanRefusal {
  const head = periodOf(dayOf(now), by);
  const last = to === undefined ? head : Math.min(periodOf(dayOf(to), by), head);
  if (from === undefined) {
    const start = books.reduce((least, book) => Math.min(least, ...book.keys()), dayOf(now));
    const first = Math.min(periodOf(start, by), last);
    return { first: Math.max(first, last - MOST_POINTS + 1), last };
  }
  const first = periodOf(dayOf(from), by);
  if (first > head)
    return {
      parameter: "from",
      detail: `It is after the last indexed block, which is of ${isoTime(now)}.`,
      allowed: [`a time up to ${isoTime(now)}`],
    };
  if (first > last)
    return { parameter: "to", detail: "It is before `from`.", allowed: ["a time not before `from`"] };
  const count = last - first + 1;
  if (count > MOST_POINTS)
    return {
      parameter: "from",
      detail: `The span has ${count} ${by}s, and an answer has at most ${MOST_POINTS}. Take a shorter span or a longer period.`,
      allowed: [`a span of at most ${MOST_POINTS} ${by}s`],
    };
  return { first, last };
}

function addTo(total: Sums, more: Readonly<Sums>): void {
  for (const measure of MEASURES) if (more[measure] !== 0n) total[measure] += more[measure];
}

function pointOf(
  period: number,
  { sums, secondsToFund }: Period,
  { total, by, now }: { total: Sums; by: SeriesPeriod; now: bigint },
): SeriesPoint {
  const end = startOfPeriod(period + 1, by);
  const [committed, withdrawn] = netted(sums.committed, sums.withdrawn);
  return {
    period: nameOfPeriod(period, by),
    start: isoTime(startOfPeriod(period, by)),
    end: isoTime(end <= now ? end : now),
    isOver: end <= now,
    opened: Number(sums.opened),
    closed: Number(sums.closed),
    reachedMinimum: Number(sums.reachedMinimum),
    medianHoursToFund: medianHours(secondsToFund),
    committed: `${committed}`,
    withdrawn: `${withdrawn}`,
    lent: `${sums.lent}`,
    averageCouponBps: ratio(sums.lentTimesCoupon, sums.lent),
    repaidPrincipal: `${sums.repaidPrincipal}`,
    repaidInterest: `${sums.repaidInterest}`,
    writtenOff: `${sums.writtenOff}`,
    reservesPosted: `${sums.reservesPosted}`,
    reservesUsed: `${sums.reservesUsed}`,
    reservesReleased: `${sums.reservesReleased}`,
    offers: Number(sums.offers),
    trades: Number(sums.trades),
    traded: `${sums.traded}`,
    averagePriceBps: sums.traded === 0n ? null : toBps(priceBps(sums.tradedCost, sums.traded)),
    raisedTotal: `${total.committed - total.withdrawn}`,
    lentTotal: `${total.lent}`,
    repaidTotal: `${total.repaidPrincipal + total.repaidInterest}`,
    writtenOffTotal: `${total.writtenOff}`,
    reserves: `${total.reservesPosted - total.reservesUsed - total.reservesReleased}`,
    outstanding: `${total.outstanding}`,
    outstandingCurrent: `${total.current}`,
    outstandingGrace: `${total.grace}`,
    outstandingLate: `${total.late}`,
    outstandingInDefault: `${total.default}`,
  };
}

/** Both without what a derived close took back, which can be more than a period's own. */
function netted(committed: bigint, withdrawn: bigint): [bigint, bigint] {
  if (committed < 0n) return [0n, withdrawn - committed];
  return withdrawn < 0n ? [committed - withdrawn, 0n] : [committed, withdrawn];
}

function ratio(part: bigint, whole: bigint): number | null {
  return whole === 0n ? null : Number(part / whole);
}

/** The median in whole hours, rounded down; for an even number, the mean of the two in the middle. */
function medianHours(seconds: readonly number[]): number | null {
  if (seconds.length === 0) return null;
  const sorted = seconds.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0;
  return Math.floor((lower + upper) / 7_200);
}
