/** @module When a raise last changed: by an event, or by time alone. */
import type { Published } from "./listing.ts";
import { openedAt, repaymentTurnedAt, statusAt } from "./status.ts";
import type { DeskRows } from "./trading.ts";

/**
 * The last change of a listing up to `now`; all in unix seconds. Events of the escrow and of the desk count, and so do a
 * closing time, an overdue repayment and the expiry of an offer. The daily drift of a figure over a moving window does not.
 */
export function lastChange({ row, listing, offers, trades }: Published & DeskRows, now: bigint): bigint {
  // Only offers of a live raise are open, and only an open offer can expire.
  const expired =
    listing.status === "live"
      ? offers.filter((offer) => offer.cancelledAt === null && offer.remaining > 0n && offer.expiresAt <= now)
      : [];
  return [
    openedAt(row),
    statusAt(row, now).since,
    repaymentTurnedAt(row, now) ?? 0n,
    ...offers.map((offer) => offer.cancelledAt ?? offer.createdAt),
    ...trades.map(({ blockTime }) => blockTime),
    ...expired.map(({ expiresAt }) => expiresAt),
  ].reduce((latest, moment) => (moment > latest ? moment : latest), row.updatedAt);
}
