/** @module Times as the documents write them. */

export const DAY = 86_400n;

const LAST_INSTANT = 253_402_300_799n; // 9999-12-31T23:59:59Z

/** Unix seconds as ISO 8601 in UTC; what comes after the year 9999 is its last second. */
export function instant(seconds: bigint): string {
  const written = new Date(Number(seconds < LAST_INSTANT ? seconds : LAST_INSTANT) * 1000).toISOString();
  return written.replace(".000Z", "Z");
}
