/** @module Chain time as text. */

const LAST_SECOND = 253_402_300_799n;

/** Unix seconds as ISO 8601 in UTC. A time past 9999-12-31T23:59:59Z is that instant. */
export function isoTime(seconds: bigint): string {
  const shown = seconds > LAST_SECOND ? LAST_SECOND : seconds;
  return new Date(Number(shown) * 1000).toISOString().replace(".000Z", "Z");
}
