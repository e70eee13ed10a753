/**
 * The trades of one listing on the secondary desk, each with its price and its yield at that time.
 * @module
 */
import { isoTime } from "../../config/format/time.ts";
import { type DeskEntry, daysUntil, yieldOf } from "./trading.ts";
import { priceBps, toBps } from "./yield.ts";

/** Trades in one picture. */
const MOST_TRADES = 100;

/** A fill between two parties. */
export type DeskTrade = {
  /** block time, ISO 8601 */
  at: string;
  /** tokens, in base units */
  amount: string;
  /** basis points of par */
  priceBps: number;
  /** basis points per annum; null with less than a day to maturity, and at a price of 0 */
  yieldToMaturityBps: number | null;
  txHash: string;
};

/** The newest `MOST_TRADES` of a listing's trades, oldest first. Trades of an account with itself are left out. */
export function tradesOf(entry: DeskEntry | null): DeskTrade[] {
  if (entry === null) return [];
  const { maturityAt } = entry.row;
  return entry.all.trades.slice(-MOST_TRADES).map(({ blockTime, amount, cost, txHash }) => {
    const price = priceBps(cost, amount);
    return {
      at: isoTime(blockTime),
      amount: amount.toString(),
      priceBps: toBps(price),
      yieldToMaturityBps: yieldOf(
        entry,
        price,
        maturityAt === null ? null : daysUntil(maturityAt, blockTime),
      ),
      txHash,
    };
  });
}
