/**
 * Retry schedule of messages. A schedule is a sum of pauses, independent of the chain and the date.
 * @module
 */

/** Milliseconds. The pause doubles from the first to the longest. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 3_600_000;
/** The longest pause that a receiver may ask for. */
const LONGEST_RETRY_AFTER = 86_400_000;

/**
 * Milliseconds until the next attempt: at least half of the doubled pause, randomised so that messages that failed together are not
 * retried together, and never less than the receiver has asked for.
 * @param failures of this message so far, 1 or more
 * @param retryAfter milliseconds that the receiver asked for, or null
 * @param random from 0 to 1
 */
export function pauseAfter(failures: number, retryAfter: number | null, random = Math.random()): number {
  const doubled = Math.min(FIRST_PAUSE * 2 ** (failures - 1), LONGEST_PAUSE);
  const asked = Math.min(retryAfter ?? 0, LONGEST_RETRY_AFTER);
  return Math.max(Math.round(doubled * (0.5 + random / 2)), asked);
}

/** The pause in a `Retry-After` header (RFC 9110, section 10.2.3), in milliseconds; null if it is absent or invalid. */
export function retryAfterOf(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? "";
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1_000;
  // HTTP dates contain letters; Date.parse would accept much else.
  const moment = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? null : Math.max(0, moment - now);
}
