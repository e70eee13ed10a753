/** @module Days, weeks, months, quarters and years of the calendar, in UTC, as whole numbers without gaps. Pure. */
import { DAY } from "../../config/format/time.ts";

export const SERIES_PERIODS = ["day", "week", "month", "quarter"] as const;
export type SeriesPeriod = (typeof SERIES_PERIODS)[number];
export type Period = SeriesPeriod | "year";

const MONTHS = { month: 1, quarter: 3, year: 12 } as const;

/** The days from 1970 to a time in unix seconds. */
export function dayOf(seconds: bigint): number {
  const day = Number(seconds / DAY);
  return seconds < 0n && seconds % DAY !== 0n ? day - 1 : day;
}

/** The last second of a day, unix seconds. */
export function endOfDay(day: number): bigint {
  return BigInt(day + 1) * DAY - 1n;
}

/** The place of a day's period in a count without gaps. Weeks begin on Mondays. */
export function periodOf(day: number, by: Period): number {
  if (by === "day") return day;
  // Day 0 was a Thursday.
  if (by === "week") return Math.floor((day + 3) / 7);
  const date = dateOf(day);
  return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / MONTHS[by]);
}

/** The first second of a period, unix seconds. */
export function startOfPeriod(period: number, by: Period): bigint {
  return BigInt(firstDayOf(period, by)) * DAY;
}

function firstDayOf(period: number, by: Period): number {
  if (by === "day") return period;
  if (by === "week") return period * 7 - 3;
  const month = period * MONTHS[by];
  const date = new Date(0);
  date.setUTCFullYear(Math.floor(month / 12), month % 12, 1);
  return date.getTime() / 86_400_000;
}

/** `2026-03-01`, `2026-W09` as in ISO 8601, `2026-03`, `2026-Q1` or `2026`. */
export function nameOfPeriod(period: number, by: Period): string {
  const first = dateOf(firstDayOf(period, by));
  const year = `${first.getUTCFullYear()}`.padStart(4, "0");
  const twoDigits = (number: number) => `${number}`.padStart(2, "0");
  if (by === "day") return first.toISOString().slice(0, 10);
  if (by === "month") return `${year}-${twoDigits(first.getUTCMonth() + 1)}`;
  if (by === "quarter") return `${year}-Q${first.getUTCMonth() / 3 + 1}`;
  if (by === "year") return year;
  // A week is of the year that has its Thursday.
  const thursday = dateOf(period * 7);
  const ofYear = thursday.getUTCFullYear();
  const week = 1 + Math.floor((period * 7 - firstDayOf(ofYear, "year")) / 7);
  return `${ofYear}-W${twoDigits(week)}`;
}

function dateOf(day: number): Date {
  return new Date(day * 86_400_000);
}
