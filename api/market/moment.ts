/**
 * A moment in a query: the number of a block, or a time.
 * @module
 */
import { z } from "zod";

/** A block number, or unix seconds. */
export type Moment = { block: bigint } | { time: bigint };

/** What is allowed, for an error's text. */
export const MOMENT_FORM = "a block number in decimal digits, or a time such as 2026-03-01T12:00:00Z";

/** More digits than any block number has. */
const BLOCK_NUMBER = /^\d{1,20}$/;
// Seconds may be left out and a fraction is cut off: the chain counts whole seconds.
const isoTime = z.iso.datetime({ offset: true });
const minuteTime = z.iso.datetime({ offset: true, precision: -1 });

/** Reads a moment; null when the text is neither. */
export function parseMoment(text: string): Moment | null {
  if (BLOCK_NUMBER.test(text)) return { block: BigInt(text) };
  const time = parseTime(text);
  return time === null ? null : { time };
}

/** The moment; the head's block when there is none or it is later: what is as of the head has nothing behind it. */
export function notAfter(moment: Moment | null, head: { number: bigint; timestamp: bigint }): Moment {
  if (moment === null) return { block: head.number };
  const isLater = "block" in moment ? moment.block > head.number : moment.time > head.timestamp;
  return isLater ? { block: head.number } : moment;
}

/** Unix seconds of an ISO 8601 date and time with `Z` or an offset; null when the text is none. */
export function parseTime(text: string): bigint | null {
  if (!isoTime.safeParse(text).success && !minuteTime.safeParse(text).success) return null;
  return BigInt(Math.floor(Date.parse(text) / 1000));
}
