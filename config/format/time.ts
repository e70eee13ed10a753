/**
 * Chain time as text, and times and blocks as callers write them.
 * @module
 */
import { z } from "zod";

/** The end of the year 9999, in unix seconds: later times are shown as it. */
export const LAST_SECOND = 253_402_300_799n;

/** Events of the same block are formatted one after another. */
let last = { seconds: 0n, text: "1970-01-01T00:00:00Z" };

/** Unix seconds as ISO 8601 in UTC, at most 9999-12-31T23:59:59Z. */
export function isoTime(seconds: bigint): string {
  if (seconds !== last.seconds) {
    const shown = seconds > LAST_SECOND ? LAST_SECOND : seconds;
    last = { seconds, text: new Date(Number(shown) * 1000).toISOString().replace(".000Z", "Z") };
  }
  return last.text;
}

/** The unix seconds of a time that `isoTime` wrote. */
export function secondsOf(isoTime: string): bigint {
  return BigInt(Date.parse(isoTime) / 1000);
}

/** The form of a time, for an error's text. */
export const TIME_FORM =
  "a time such as 2026-03-01T12:00:00Z, or a date such as 2026-03-01 (its start in UTC)";

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
export const BLOCK_OR_TIME_FORM = `a block number in decimal digits, ${TIME_FORM}`;

/** No block number has more digits. */
const BLOCK_NUMBER = /^\d{1,20}$/;

/** Reads a block number or a time; null when the text is neither. */
export function parseBlockOrTime(text: string): BlockOrTime | null {
  if (BLOCK_NUMBER.test(text)) return { block: BigInt(text) };
  const time = parseTime(text);
  return time === null ? null : { time };
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
