/** @module The rows of the chain that a market is made of. */
import type { Hex } from "viem";
import type { ListingRow, OfferRow, RepaymentRow, StoredRow, TradeRow } from "../../src/fold/state.ts";
import type { BidEvent } from "./bids.ts";
import type { FlowRow } from "./flows.ts";

/** The projection's input from the chain at one block: every row, or those that changed since the previous block. */
export type ChainRows = {
  listings: readonly ListingRow[];
  /** in the order of the chain; none of them more than once */
  repayments: readonly RepaymentRow[];
  offers: readonly OfferRow[];
  /** in the order of the chain; none of them more than once */
  trades: readonly TradeRow[];
  /** all bids of each auction among `listings` that has not closed, by pair; null for more than can be summed */
  bids?: ReadonlyMap<string, readonly BidEvent[] | null>;
  /** sums of days of what the events changed; null where the ledger is not read, as in the backfill */
  flows?: readonly FlowRow[] | null;
  /** number of holders of each token; empty when unknown */
  holders: ReadonlyMap<Hex, number>;
  /** the ledger of raises that are folded again (`refolds.ts`), in the order of the chain; none of them more than once */
  events?: readonly StoredRow[];
  /** pairs whose `events` are all that they have: their fold starts over */
  restarted?: ReadonlySet<string>;
  /**
   * pairs of which these are all the rows, because a reorg took events back: what was known of them no longer counts, and a raise
   * without a row here is gone
   */
  replaced?: ReadonlySet<string>;
};

/** No row has changed. */
export const NO_ROWS: ChainRows = {
  listings: [],
  repayments: [],
  offers: [],
  trades: [],
  holders: new Map(),
};
