/** @module A raise as a projection keeps it. */
import type { Correction } from "../../src/fold/derived.ts";
import type { ListingRow, OfferRow, RepaymentRow, TradeRow } from "../../src/fold/state.ts";
import { pairKey } from "../registry/schema.ts";
import type { BidEvent } from "./bids.ts";
import type { ChainRows } from "./chain-rows.ts";
import { type Flow, withFlows } from "./flows.ts";
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

/** The rows from which these raises were made. */
export function rowsOf(raises: ReadonlyMap<string, Raise>, holders: ChainRows["holders"]): ChainRows {
  const all = [...raises.values()];
  const keyOf = ({ stored }: Raise) => ({
    escrowAddress: stored?.escrowAddress ?? "0x",
    onchainId: stored?.onchainId ?? 0n,
  });
  return {
    listings: all.flatMap(({ stored }) => stored ?? []),
    repayments: all.flatMap(({ storedRepayments }) => storedRepayments),
    offers: all.flatMap(({ offers }) => offers),
    trades: all.flatMap(({ trades }) => trades),
    flows: all.flatMap((raise) => raise.flows.map((flow) => ({ ...keyOf(raise), ...flow }))),
    bids: new Map([...raises].flatMap(([pair, { bids }]) => (bids === null ? [] : [[pair, bids]]))),
    holders: new Map(holders),
  };
}

/** Adds rows to their raises. @returns the pairs of those that may look different */
export function takeRows(
  { repayments, offers, trades, flows, bids }: ChainRows,
  raiseOf: (pair: string) => Raise,
): string[] {
  const more = [
    ...eachPair(repayments, (raise, rows) => {
      raise.storedRepayments = [...raise.storedRepayments, ...rows];
    }),
    ...eachPair(offers, (raise, rows) => {
      const ids = new Set(rows.map(({ offerId }) => offerId));
      raise.offers = [...raise.offers.filter(({ offerId }) => !ids.has(offerId)), ...rows];
    }),
    ...eachPair(trades, (raise, rows) => {
      raise.trades = [...raise.trades, ...rows];
    }),
    ...eachPair(flows ?? [], (raise, rows) => {
      raise.flows = withFlows(raise.flows, rows);
    }),
  ];
  for (const [pair, own] of bids ?? []) raiseOf(pair).bids = own;
  return more;

  function eachPair<Row extends Parameters<typeof pairKey>[0]>(
    rows: readonly Row[],
    add: (raise: Raise, rows: readonly Row[]) => void,
  ): string[] {
    const byPair = Map.groupBy(rows, pairKey);
    for (const [pair, own] of byPair) add(raiseOf(pair), own);
    return [...byPair.keys()];
  }
}

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
