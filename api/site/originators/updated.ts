/**
 * When a page on businesses changed last.
 * @module
 */
import type { Market } from "../../market/project.ts";
import type { Listing } from "../../market/schema.ts";
import { isoTime } from "../../time.ts";

/** The last change of one of these raises; the head's time when there is none. ISO 8601. */
export function updatedOf(market: Market, listings: readonly Listing[]): string {
  const changes = listings.map((listing) => market.changedAt(listing));
  if (changes.length === 0) return isoTime(market.head.timestamp);
  return changes.reduce((latest, change) => (change > latest ? change : latest));
}
