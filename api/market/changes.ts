/**
 * When a raise opened, and when it last changed: by an event, or by time alone.
 * @module
 */
import type { ListingRow, OfferRow, TradeRow } from "../../src/fold/state.ts";
import { pairKey } from "../registry/schema.ts";
import type { Published } from "./listing.ts";
import { repaymentTurnedAt, statusAt } from "./status.ts";

type DeskRows = { offers: readonly OfferRow[]; trades: readonly TradeRow[] };

/** When backers could first subscribe to a created listing: never before its creation. Unix seconds. */
export function openedAt({ createdAt, goLiveAt }: Pick<ListingRow, "createdAt" | "goLiveAt">): bigint {
  const [created, goLive] = [createdAt ?? 0n, goLiveAt ?? 0n];
  return created > goLive ? created : goLive;
}

/**
 * The last change of each listing up to `now`; all in unix seconds. Events of the escrow and of the desk count, and so do a
 * closing time, an overdue repayment and the expiry of an offer. The daily drift of a figure over a moving window does not.
 */
export function lastChanges({ offers, trades }: DeskRows, now: bigint): (of: Published) => bigint {
  const onDesk = new Map<string, bigint>();
  const note = (key: string, moment: bigint) => {
    if (moment > (onDesk.get(key) ?? 0n)) onDesk.set(key, moment);
  };
  for (const offer of offers) note(pairKey(offer), offer.cancelledAt ?? offer.createdAt);
  for (const trade of trades) note(pairKey(trade), trade.blockTime);
  const expiries = Map.groupBy(
    offers.filter((offer) => offer.cancelledAt === null && offer.remaining > 0n && offer.expiresAt <= now),
    pairKey,
  );
  return ({ row, listing }) => {
    const key = pairKey(row);
    // Only offers of a live raise are open, and only an open offer can expire.
    const expired = listing.status === "live" ? (expiries.get(key) ?? []) : [];
    return [
      openedAt(row),
      statusAt(row, now).since,
      repaymentTurnedAt(row, now) ?? 0n,
      onDesk.get(key) ?? 0n,
      ...expired.map(({ expiresAt }) => expiresAt),
    ].reduce((latest, moment) => (moment > latest ? moment : latest), row.updatedAt);
  };
}
