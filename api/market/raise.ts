/** @module What a projection keeps of a raise. */
import type { Correction } from "../../src/fold/derived.ts";
import type { ListingRow, OfferRow, RepaymentRow, TradeRow } from "../../src/fold/state.ts";
import type { BidEvent } from "./bids.ts";
import type { Flow } from "./flows.ts";
import type { Visible } from "./visible.ts";

export type Raise = {
  /** of the tables; null before the first event */
  stored: ListingRow | null;
  storedRepayments: readonly RepaymentRow[];
  /** at the last time at which it can have changed, with the registry's terms and derived facts */
  row: ListingRow | null;
  corrections: readonly Correction[];
  repayments: readonly RepaymentRow[];
  offers: readonly OfferRow[];
  trades: readonly TradeRow[];
  flows: readonly Flow[];
  bids: readonly BidEvent[] | null;
  visible: Visible | null;
};

export function newRaise(): Raise {
  return {
    stored: null,
    storedRepayments: [],
    row: null,
    corrections: [],
    repayments: [],
    offers: [],
    trades: [],
    flows: [],
    bids: null,
    visible: null,
  };
}
