/** @module Chain time as text, and times and blocks as callers write them. */
import { z } from "zod";

/** The end of the year 9999, in unix seconds: later times are shown as it. */
export const LAST_SECOND = 253_402_300_799n;

/** Seconds. */
export const HOUR = 3_600n;
export const DAY = 86_400n;

export const SECONDS_A_DAY = Number(DAY);
const two = (number: number) => String(number).padStart(2, "0");
/** The parts of a time of the day: a text is made of three. */
const MINUTES = Array.from(
  { length: SECONDS_A_DAY / 60 },
  (_, at) => `${two(Math.floor(at / 60))}:${two(at % 60)}:`,
);
const SECONDS = Array.from({ length: 60 }, (_, at) => `${two(at)}Z`);

/** By days since 1970. */
const dates = new Map<number, string>();
const MOST_DATES = 10_000;

/** Unix seconds as ISO 8601 in UTC, at most 9999-12-31T23:59:59Z. */
export function isoTime(seconds: bigint): string {
  const shown = Number(seconds > LAST_SECOND ? LAST_SECOND : seconds);
  const day = Math.floor(shown / SECONDS_A_DAY);
  const second = shown - day * SECONDS_A_DAY;
  return dateOf(day) + MINUTES[Math.floor(second / 60)] + SECONDS[second % 60];
}

function dateOf(day: number): string {
  const known = dates.get(day);
  if (known !== undefined) return known;
  if (dates.size === MOST_DATES) dates.clear();
  const date = new Date(day * SECONDS_A_DAY * 1000).toISOString().replace("00:00:00.000Z", "");
  dates.set(day, date);
  return date;
}

/** The unix seconds of a time that `isoTime` wrote. */
export function secondsOf(isoTime: string): bigint {
  return BigInt(Date.parse(isoTime) / 1000);
}

const formOf = (edge: "start" | "end") =>
  `a time such as 2026-03-01T12:00:00Z, or a date such as 2026-03-01 (its ${edge} in UTC)`;

/** The form of a time, for an error's text. */
export const TIME_FORM = formOf("start");

// Seconds are optional and fractions are cut off: the chain counts whole seconds.
const withSeconds = z.iso.datetime({ offset: true });
const withMinutes = z.iso.datetime({ offset: true, precision: -1 });
const dateAlone = z.iso.date();

/** Unix seconds of an ISO 8601 date and time with `Z` or an offset, or of the start of a date in UTC; null for any other text. */
export function parseTime(text: string): bigint | null {
  if (![withSeconds, withMinutes, dateAlone].some((form) => form.safeParse(text).success)) return null;
  return BigInt(Math.floor(Date.parse(text) / 1000));
}

/** The number of a block, or unix seconds. */
export type BlockOrTime = { block: bigint } | { time: bigint };

/** The form of a block or a time, for an error's text. */
export const BLOCK_OR_TIME_FORM = withBlock(TIME_FORM);

function withBlock(form: string): string {
  return `a block number in decimal digits, ${form}`;
}

/** No block number has more digits. */
const BLOCK_NUMBER = /^\d{1,20}$/;

/** Reads a block number or a time; null when the text is neither. */
export function parseBlockOrTime(text: string): BlockOrTime | null {
  if (BLOCK_NUMBER.test(text)) return { block: BigInt(text) };
  const time = parseTime(text);
  return time === null ? null : { time };
}

/** The form of the end of a span. */
export const END_FORM = withBlock(formOf("end"));

/** The same as the end of a span with what it names: a date is its last second. */
export function parseEnd(text: string): BlockOrTime | null {
  const moment = parseBlockOrTime(text);
  const isDate = moment !== null && "time" in moment && dateAlone.safeParse(text).success;
  return isDate ? { time: moment.time + DAY - 1n } : moment;
}

/** Whether a span ends before it begins. False for a block and a time, whose order is not known. */
export function isReversed({ since, until }: { since?: BlockOrTime; until?: BlockOrTime }): boolean {
  if (since === undefined || until === undefined) return false;
  if ("block" in since) return "block" in until && until.block < since.block;
  return "time" in until && until.time < since.time;
}

/** The bound, at most the head: an answer as of the head contains nothing later. */
export function notAfter(
  bound: BlockOrTime | null,
  head: { number: bigint; timestamp: bigint },
): BlockOrTime {
  if (bound === null) return { block: head.number };
  const isLater = "block" in bound ? bound.block > head.number : bound.time > head.timestamp;
  return isLater ? { block: head.number } : bound;
}
