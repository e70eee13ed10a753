/**
 * The market in figures: sums and counts over the visible listings.
 * @module
 */
import type { Published } from "./listing.ts";
import { type Listing, STATUSES, type Stats, type Status } from "./schema.ts";

/** The statistics of these listings; base units. */
export function statsOf(published: readonly Published[]): Stats {
  return {
    ...totalsOf(published.map(({ listing }) => listing)),
    defaultRateBps: defaultRateBps(published),
  };
}

/** The sums and counts of some listings, such as those of one business; base units. */
export function totalsOf(listings: readonly Listing[]): Omit<Stats, "defaultRateBps"> {
  const byStatus = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>;
  for (const { status } of listings) byStatus[status] += 1;
  const total = (amountOf: (listing: Listing) => string) =>
    listings.reduce((sum, listing) => sum + BigInt(amountOf(listing)), 0n).toString();
  return {
    byStatus,
    raised: total(({ raisedAmount }) => raisedAmount),
    refunded: total(({ refundedAmount }) => refundedAmount),
    repaid: total(({ repaidAmount }) => repaidAmount),
    outstanding: total(({ outstandingPrincipal }) => outstandingPrincipal),
    reserves: total(({ reserveBalance }) => reserveBalance),
    subscribers: listings.reduce((count, { subscriberCount }) => count + subscriberCount, 0),
  };
}

/** Principal written off per principal drawn, over the settled raises. Nobody loses more than was drawn. */
function defaultRateBps(published: readonly Published[]): number | null {
  let drawn = 0n;
  let lost = 0n;
  for (const { row } of published) {
    if (row.terminalKind !== "settled" || row.drawnAmount === null) continue;
    const writtenOff = row.writtenOffPrincipal ?? 0n;
    drawn += row.drawnAmount;
    lost += writtenOff < row.drawnAmount ? writtenOff : row.drawnAmount;
  }
  return drawn === 0n ? null : Number((10_000n * lost) / drawn);
}
