/** @module Made-up rows as visible listings, for the pieces of the projection that begin where visibility is decided. */
import type { Hex } from "viem";
import type { Published } from "../../api/market/listing.ts";
import { deskEntryOf, TRADING_DISABLED, tradingOf } from "../../api/market/trading.ts";
import type { Trading } from "../../api/market/trading-schema.ts";
import { pairKey } from "../../api/registry/schema.ts";
import type { ListingRow, OfferRow, TradeRow } from "../../src/fold/state.ts";
import { ESCROW, marketOf } from "./market.ts";
import { entryDraft } from "./rows.ts";

/** An escrow of an earlier deployment: its ids begin at 1 as well. */
export const OLD_ESCROW = `0x${"0e".repeat(20)}` as const;

/** The rows with their listings in the order of the market. Listing 1 of the old escrow is `lst_1_old`. */
export function publishedOf(...rows: ListingRow[]): Published[] {
  const drafts = rows.map(({ escrowAddress, onchainId }) =>
    entryDraft({
      escrowAddress,
      onchainId: onchainId.toString(),
      publicId: escrowAddress === ESCROW ? `lst_${onchainId}` : `lst_${onchainId}_old`,
    }),
  );
  const rowByPair = new Map(rows.map((row) => [pairKey(row), row]));
  return marketOf(rows, drafts).listings.map((listing) => {
    const row = rowByPair.get(pairKey(listing));
    if (row === undefined) throw new Error("the market made a listing of its own");
    return { row, listing };
  });
}

export type DeskDraft = {
  /** null when no desk is followed */
  desk: { address: Hex; offers: readonly OfferRow[]; trades: readonly TradeRow[] } | null;
  /** the visible listings in the order of the market */
  published: readonly Published[];
  holderCount(row: ListingRow): number | null;
  /** unix seconds */
  now: bigint;
};

/** The desk of these listings. */
export function tradingAt({ desk, published, holderCount, now }: DeskDraft): Trading {
  if (desk === null) return TRADING_DISABLED;
  const entries = published.map((one) => {
    const isOwn = (row: OfferRow | TradeRow) => pairKey(row) === pairKey(one.row);
    const own = { offers: desk.offers.filter(isOwn), trades: desk.trades.filter(isOwn) };
    return deskEntryOf({ ...one, ...own }, holderCount(one.row), now);
  });
  return tradingOf(
    desk.address,
    entries.filter((entry) => entry !== null),
  );
}
