/**
 * The whole book in figures: sums and counts over the visible listings.
 * @module
 */
import type { Published } from "./listing.ts";
import { STATUSES, type Stats, type Status } from "./schema.ts";

/** The statistics of these listings; base units. */
export function statsOf(published: readonly Published[]): Stats {
  const byStatus = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>;
  for (const { listing } of published) byStatus[listing.status] += 1;
  const total = (amountOf: (of: Published) => string) =>
    published.reduce((sum, one) => sum + BigInt(amountOf(one)), 0n).toString();
  return {
    byStatus,
    raised: total(({ listing }) => listing.raisedAmount),
    refunded: total(({ listing }) => listing.refundedAmount),
    repaid: total(({ listing }) => listing.repaidAmount),
    outstanding: total(({ listing }) => listing.outstandingPrincipal),
    reserves: total(({ listing }) => listing.reserveBalance),
    subscribers: published.reduce((count, { listing }) => count + listing.subscriberCount, 0),
    defaultRateBps: defaultRateBps(published),
  };
}

/** What was written off of what was drawn, over the settled raises. Nobody loses more than was drawn. */
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
