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
  let latest = row.updatedAt;
  const note = (moment: bigint) => {
    if (moment > latest) latest = moment;
  };
  note(openedAt(row));
  note(statusAt(row, now).since);
  note(repaymentTurnedAt(row, now) ?? 0n);
  for (const { cancelledAt, createdAt } of offers) note(cancelledAt ?? createdAt);
  for (const { blockTime } of trades) note(blockTime);
  for (const { expiresAt } of expired) note(expiresAt);
  return latest;
}
