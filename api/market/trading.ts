/** @module The secondary desk. Interface document, "Secondary-desk summary". Only visible listings count, so that totals add up. */
import type { Hex } from "viem";
import { DAY, isoTime } from "../../config/format/time.ts";
import { outstandingPrincipal } from "../../src/fold/rules.ts";
import type { ListingRow, OfferRow, RepaymentRow, TradeRow } from "../../src/fold/state.ts";
import { sumOf } from "./amount.ts";
import type { Published } from "./listing.ts";
import { nextOf } from "./moments.ts";
import { interestOn } from "./schedule.ts";
import { isOver } from "./status.ts";
import type { Trading } from "./trading-schema.ts";
import {
  chargeOf,
  priceBps,
  remainingPerTokenBps,
  reservePerTokenBps,
  returnBps,
  toBps,
  yieldToMaturityBps,
} from "./yield.ts";

const THIRTY_DAYS = 30n * DAY;

/** The summary of a service without a desk: every key, without values. */
export const TRADING_DISABLED: Trading = {
  enabled: false,
  deskAddress: null,
  openOffers: 0,
  openAmount: null,
  openNotional: null,
  bestAskBps: null,
  trades24h: 0,
  trades30d: 0,
  tradesTotal: 0,
  volume24h: null,
  volume30d: null,
  volumeTotal: null,
  selfTrades: 0,
  vwap30dBps: null,
  sellers30d: 0,
  buyers30d: 0,
  lastTrade: null,
  listings: [],
};

export type DeskRows = {
  offers: readonly OfferRow[];
  /** in the order of the chain */
  trades: readonly TradeRow[];
};

export type DeskEntry = Published & {
  summary: Trading["listings"][number];
  /** Whether the desk shows it. A raise that has ended is shown for 30 days after its last trade; its trades count in the totals for good. */
  isShown: boolean;
  openNotional: bigint;
  openAmount: bigint;
  bestAsk: bigint | null;
  selfTrades: number;
  /** trades between two parties: of the last day, of the last 30 days, of all time */
  day: Window;
  month: Window;
  all: Window;
  last: TradeRow | null;
  /** unix seconds: when time alone changes one of these next; null for never */
  turnsAt: bigint | null;
};

type Window = { trades: readonly TradeRow[]; amount: bigint; cost: bigint };

/** The part of the desk of one listing at `now` (unix seconds); null for a listing that has nothing to do with the desk. */
export function deskEntryOf(
  { row, listing, offers, trades }: Published & DeskRows,
  holderCount: number | null,
  now: bigint,
): DeskEntry | null {
  const isSeen = offers.length > 0 || trades.length > 0;
  if (!isSeen && (isOver(listing) || row.drawnDownAt === null)) return null;
  const open = listing.status === "live" ? offers.filter((offer) => isOpen(offer, now)) : [];
  const fills = trades.filter(({ seller, buyer }) => seller !== buyer);
  const windowOf = (since: bigint): Window => {
    const own = fills.filter(({ blockTime }) => blockTime > since);
    return {
      trades: own,
      amount: sumOf(own, ({ amount }) => amount),
      cost: sumOf(own, ({ cost }) => cost),
    };
  };
  const [day, month, all] = [now - DAY, now - THIRTY_DAYS, -1n].map(windowOf) as [Window, Window, Window];
  const ask = open.reduce<bigint | null>(
    (best, { priceBps }) => (best === null || priceBps < best ? priceBps : best),
    null,
  );
  const last = fills.at(-1) ?? null;
  const openAmount = sumOf(open, ({ remaining }) => remaining);
  const remainingDays = remainingDaysOf(row, now);
  const paid = row.repaidPrincipal + row.repaidInterest;
  const perToken = row.terminalKind === null ? perTokenOf({ row, listing }, paid) : null;
  const reserve = reserveOf(row);
  const isShown = !isOver(listing) || month.trades.length > 0;
  return {
    row,
    listing,
    isShown,
    openNotional: sumOf(open, (offer) => chargeOf(offer.remaining, offer.priceBps)),
    openAmount,
    bestAsk: ask,
    selfTrades: trades.length - fills.length,
    day,
    month,
    all,
    last,
    turnsAt: nextOf(
      [
        ...open.map(({ expiresAt }) => expiresAt),
        ...month.trades.flatMap(({ blockTime }) => [blockTime + DAY, blockTime + THIRTY_DAYS]),
        // The number of remaining days drops one second after a whole number of days.
        row.maturityAt !== null && remainingDays !== null ? row.maturityAt - remainingDays * DAY + 1n : null,
      ],
      now,
    ),
    summary: {
      publicId: listing.publicId,
      refnum: listing.refnum,
      openOffers: open.length,
      openAmount: openAmount.toString(),
      bestAskBps: bpsOrNull(ask),
      lastPriceBps: last === null ? null : toBps(priceBps(last.cost, last.amount)),
      volume30d: month.amount.toString(),
      tradesTotal: fills.length,
      holderCount: isShown ? holderCount : null,
      remainingDays: remainingDays === null ? null : Number(remainingDays),
      remainingPerTokenBps: bpsOrNull(perToken),
      yieldToMaturityBps: ask === null ? null : yieldOf(perToken, ask, remainingDays),
      reservePerTokenBps: bpsOrNull(reserve),
      returnInDefaultBps: bpsOrNull(
        reserve === null || ask === null || ask === 0n ? null : returnBps(reserve, ask),
      ),
    },
  };
}

/** Remaining payments for a token, basis points of par; null before the drawdown. @param paid principal and interest, base units */
function perTokenOf({ row, listing }: Published, paid: bigint): bigint | null {
  const { drawnAmount: principal } = row;
  if (principal === null || principal === 0n) return null;
  return remainingPerTokenBps({ principal, total: principal + interestOn(principal, listing), paid });
}

/** The payment of the reserve for a token if nothing more is repaid, basis points of par; null before the drawdown and once ended. */
function reserveOf(row: ListingRow): bigint | null {
  const { drawnAmount: principal, reserveBalance: reserve, terminalKind } = row;
  if (principal === null || principal === 0n || terminalKind !== null) return null;
  return reservePerTokenBps({ principal, reserve, outstanding: outstandingPrincipal(row) });
}

/** A buyer's yield at this price (basis points of par), basis points per annum; null without a price or a whole day to maturity. */
function yieldOf(perToken: bigint | null, price: bigint, remainingDays: bigint | null): number | null {
  if (perToken === null || price === 0n || remainingDays === null || remainingDays === 0n) return null;
  return toBps(yieldToMaturityBps({ perToken, price, remainingDays }));
}

type LastTrade = { eventId: string; trade: NonNullable<Trading["lastTrade"]> };

/** The trades of raises that are in the archive; `volume` in tokens, base units. */
export type PastTrades = { trades: number; selfTrades: number; volume: bigint; last: LastTrade | null };
export const NO_TRADES: PastTrades = { trades: 0, selfTrades: 0, volume: 0n, last: null };

/** With those of a raise that goes to the archive, or without those of one that comes out, whose last trade is kept if it is the last. */
export function withTrades(past: PastTrades, entry: DeskEntry | null, sign: 1 | -1): PastTrades {
  if (entry === null) return past;
  return {
    trades: past.trades + sign * entry.all.trades.length,
    selfTrades: past.selfTrades + sign * entry.selfTrades,
    volume: past.volume + BigInt(sign) * entry.all.amount,
    last: lastTradeOf([entry], past.last),
  };
}

/** The whole desk: the totals, and the summaries that it shows in the order of the entries. @param entries of the raises in full */
export function tradingOf(desk: Hex, entries: readonly DeskEntry[], past: PastTrades = NO_TRADES): Trading {
  const active = entries.filter(
    ({ summary, selfTrades }) => summary.openOffers + summary.tradesTotal + selfTrades > 0,
  );
  const sum = (amountOf: (entry: DeskEntry) => bigint) => sumOf(active, amountOf);
  const count = (countOf: (entry: DeskEntry) => number) =>
    active.reduce((total, entry) => total + countOf(entry), 0);
  const month = active.flatMap((entry) => entry.month.trades);
  const volume30d = sum((entry) => entry.month.amount);
  const asks = active.flatMap(({ bestAsk }) => (bestAsk === null ? [] : [bestAsk]));
  return {
    enabled: true,
    deskAddress: desk,
    openOffers: count(({ summary }) => summary.openOffers),
    openAmount: sum((entry) => entry.openAmount).toString(),
    openNotional: sum((entry) => entry.openNotional).toString(),
    bestAskBps: bpsOrNull(asks.reduce<bigint | null>((a, b) => (a === null || b < a ? b : a), null)),
    trades24h: count(({ day }) => day.trades.length),
    trades30d: month.length,
    tradesTotal: count(({ all }) => all.trades.length) + past.trades,
    volume24h: sum(({ day }) => day.amount).toString(),
    volume30d: volume30d.toString(),
    volumeTotal: (sum(({ all }) => all.amount) + past.volume).toString(),
    selfTrades: count((entry) => entry.selfTrades) + past.selfTrades,
    vwap30dBps:
      volume30d === 0n
        ? null
        : toBps(
            priceBps(
              sum((entry) => entry.month.cost),
              volume30d,
            ),
          ),
    sellers30d: new Set(month.map(({ seller }) => seller)).size,
    buyers30d: new Set(month.map(({ buyer }) => buyer)).size,
    lastTrade: lastTradeOf(active, past.last)?.trade ?? null,
    listings: entries.filter(({ isShown }) => isShown).map(({ summary }) => summary),
  };
}

/** The desk refuses a fill in the second of the expiry. */
function isOpen({ cancelledAt, remaining, expiresAt }: OfferRow, now: bigint): boolean {
  return cancelledAt === null && remaining > 0n && now < expiresAt;
}

/**
 * Whole days from then (unix seconds) to the maturity, 0 from it on: below 2^48, as a maturity is a uint64. Null before the drawdown
 * and once the raise has ended.
 */
function remainingDaysOf({ drawnDownAt, maturityAt, terminalAt }: ListingRow, at: bigint): bigint | null {
  if (drawnDownAt === null || drawnDownAt > at || maturityAt === null) return null;
  if (terminalAt !== null && terminalAt <= at) return null;
  return maturityAt > at ? (maturityAt - at) / DAY : 0n;
}

function bpsOrNull(price: bigint | null): number | null {
  return price === null ? null : toBps(price);
}

/** The last trade between two parties: of the entries, or the one before. */
export function lastTradeOf(entries: readonly DeskEntry[], before: LastTrade | null): LastTrade | null {
  let latest: DeskEntry | null = null;
  for (const entry of entries)
    if (entry.last !== null && entry.last.eventId >= ((latest?.last ?? before)?.eventId ?? ""))
      latest = entry;
  if (latest?.last == null) return before;
  const { listing, last } = latest;
  const trade = {
    publicId: listing.publicId,
    refnum: listing.refnum,
    priceBps: toBps(priceBps(last.cost, last.amount)),
    amount: last.amount.toString(),
    cost: last.cost.toString(),
    at: isoTime(last.blockTime),
    txHash: last.txHash,
  };
  return { eventId: last.eventId, trade };
}

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
  /** basis points per annum; null with less than a day to maturity, once the raise has ended, and at a price of 0 */
  yieldToMaturityBps: number | null;
  txHash: string;
};

/**
 * The newest `MOST_TRADES` of a listing's trades, oldest first, each with the yield that its buyer had then. Trades of an account
 * with itself are left out.
 */
export function tradesOf({
  entry,
  repayments,
}: {
  entry: DeskEntry | null;
  /** of the listing, in the order of the chain */
  repayments: readonly RepaymentRow[];
}): DeskTrade[] {
  if (entry === null) return [];
  const { row, listing } = entry;
  return entry.all.trades.slice(-MOST_TRADES).map(({ blockTime, eventId, amount, cost, txHash }) => {
    const price = priceBps(cost, amount);
    const earlier = repayments.filter((payment) => payment.eventId < eventId);
    const paid = sumOf(earlier, ({ principal, interest }) => principal + interest);
    return {
      at: isoTime(blockTime),
      amount: amount.toString(),
      priceBps: toBps(price),
      yieldToMaturityBps: yieldOf(perTokenOf({ row, listing }, paid), price, remainingDaysOf(row, blockTime)),
      txHash,
    };
  });
}
