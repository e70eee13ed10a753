/**
 * When a message is tried again. A delivery's schedule is a sum of pauses: neither the chain nor the date decides it.
 * @module
 */

/** Milliseconds. The pause doubles from the first to the longest. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 3_600_000;
/** A receiver may ask for so much. */
const LONGEST_RETRY_AFTER = 86_400_000;

/**
 * Milliseconds until the next attempt: half of the doubled pause to all of it, since messages that failed together must not come
 * back together, and no less than the receiver has asked for.
 * @param failures of this message so far, 1 or more
 * @param retryAfter milliseconds that the receiver asked for; null: none
 * @param random from 0 to 1
 */
export function pauseAfter(failures: number, retryAfter: number | null, random = Math.random()): number {
  const doubled = Math.min(FIRST_PAUSE * 2 ** (failures - 1), LONGEST_PAUSE);
  const asked = Math.min(retryAfter ?? 0, LONGEST_RETRY_AFTER);
  return Math.max(Math.round(doubled * (0.5 + random / 2)), asked);
}

/** What `Retry-After` (RFC 9110, section 10.2.3) asks for, in milliseconds; null when it is absent or says nothing. */
export function retryAfterOf(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? "";
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1_000;
  // A date of HTTP has letters; Date.parse would take much else.
  const moment = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? null : Math.max(0, moment - now);
}
