/** @module Times and durations for people, in UTC, so that all readers see the same; and the last change of a page. */
import { counted } from "../../config/format/counted.ts";
import { HOUR, isoTime } from "../../config/format/time.ts";
import type { Knowledge } from "../knowledge/load.ts";
import { columnsOf } from "../market/columns.ts";
import { Listings, type SomeListings } from "../market/listings.ts";
import type { Market } from "../market/market.ts";

/** To be made once: making one takes longer than using it often. Short months have three letters, September too. */
export function utcFormat(options: Intl.DateTimeFormatOptions): { format(date: Date): string } {
  const british = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...options });
  return { format: (date) => british.format(date).replace(/\bSept\b/, "Sep") };
}
const DAY = { day: "numeric", month: "short", year: "numeric" } as const;
const MINUTE = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const TIME = utcFormat({ ...DAY, ...MINUTE });
const DATE = utcFormat(DAY);
export const CLOCK = utcFormat(MINUTE);

/** Such as "21 Nov 2026, 13:44 UTC". @param iso ISO 8601 */
export function formatTime(iso: string): string {
  return `${TIME.format(new Date(iso))} UTC`;
}

/** Such as "21 Nov 2026". @param iso ISO 8601, with or without a time */
export function formatDate(iso: string): string {
  return DATE.format(new Date(iso));
}

/** Such as "13:44"; the day is shown elsewhere. @param iso ISO 8601 */
export function formatClock(iso: string): string {
  return CLOCK.format(new Date(iso));
}

const UNITS = [
  { name: "days", seconds: 86_400n },
  { name: "hours", seconds: HOUR },
  { name: "minutes", seconds: 60n },
] as const;

/** Such as "3 days", rounded down so that a page stays the same for long; null once it is over. @param now unix seconds */
export function timeUntil(iso: string, now: bigint): string | null {
  const left = BigInt(Math.floor(Date.parse(iso) / 1000)) - now;
  if (left <= 0n) return null;
  const unit = UNITS.find((one) => left >= one.seconds);
  if (unit === undefined) return "less than a minute";
  return counted(Number(left / unit.seconds), unit.name);
}

/** The latest of these dates or times; `otherwise` for an empty list. */
export function latest(moments: readonly string[], otherwise = ""): string {
  return moments.reduce((a, b) => (a > b ? a : b), "") || otherwise;
}

/** The last change of any of these raises; without any, the head's time. ISO 8601. */
export function raisesUpdated(market: Market, listings: SomeListings): string {
  return latest(
    Listings.of(listings).map((listing) => market.changedAt(listing)),
    isoTime(market.head.timestamp),
  );
}

/** The last change of any visible raise; without any, the head's time. ISO 8601. */
export function marketUpdated(market: Market): string {
  const seconds = columnsOf(market).latestChange();
  return isoTime(seconds === null ? market.head.timestamp : BigInt(seconds));
}

/**
 * The time that a page's figures are as of: that of their last change, or the last full hour of the chain, so that the page does not change
 * with every block. @param now unix seconds of the head
 */
export function asOfTime(updated: string, now: bigint): string {
  return latest([updated, isoTime(now - (now % HOUR))]);
}

export function knowledgeUpdated({ pages }: Knowledge): string {
  return latest(
    pages.map(({ updated }) => updated),
    "1970-01-01",
  );
}
