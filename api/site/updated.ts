/**
 * When a page changed last: ISO 8601.
 * @module
 */
import type { Knowledge } from "../knowledge/load.ts";
import type { Market } from "../market/project.ts";
import type { Listing } from "../market/schema.ts";
import { isoTime } from "../time.ts";

/** The latest of these days or moments; `otherwise` when there is none. */
export function latest(moments: readonly string[], otherwise = ""): string {
  return moments.reduce((a, b) => (a > b ? a : b), "") || otherwise;
}

/** The last change of one of these raises; the head's time when there is none. */
export function raisesUpdated(market: Market, listings: readonly Listing[]): string {
  return latest(
    listings.map((listing) => market.changedAt(listing)),
    isoTime(market.head.timestamp),
  );
}

/** The day of the newest page. */
export function knowledgeUpdated({ pages }: Knowledge): string {
  return latest(
    pages.map(({ updated }) => updated),
    "1970-01-01",
  );
}
