/** @module Compares the published content of two markets. */
import type { Market } from "../market/market.ts";

/** Most differences to name. */
const MOST = 20;

/** The differences by name: public ids, and parts of the market. Empty for equal markets. */
export function differences(a: Market, b: Market): string[] {
  const ids = new Set([...a.listings, ...b.listings].map(({ publicId }) => publicId));
  const found = [...ids].filter((id) => listingText(a, id) !== listingText(b, id));
  for (const part of ["originators", "trading", "stats"] as const) {
    if (JSON.stringify(a[part]) !== JSON.stringify(b[part])) found.push(part);
  }
  if (overTimeText(a) !== overTimeText(b)) found.push("overTime");
  const order = ({ listings }: Market) => listings.map(({ publicId }) => publicId).join();
  if (order(a) !== order(b)) found.push("order");
  if (a.unpublished !== b.unpublished) found.push("unpublished");
  return found.slice(0, MOST);
}

function listingText(market: Market, id: string): string | null {
  const listing = market.listingByPublicId.get(id);
  if (listing === undefined) return null;
  return JSON.stringify([
    listing,
    market.scheduleOf(listing),
    market.openedAt(listing),
    market.changedAt(listing),
  ]);
}

function overTimeText({ overTime }: Market): string | null {
  return overTime && JSON.stringify([overTime.series({ by: "month" }), overTime.cohorts({ by: "month" })]);
}
