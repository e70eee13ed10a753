/**
 * The secondary desk in one object, as `market.md` and decision 0005 define it: filters and sums over every log of the
 * desk, nothing is carried from one to the next.
 * @module
 */
import { type ChainLog, inChainOrder, isBefore, sum, those } from "./chain-log.ts";
import { type DeskLog, deskLogs } from "./desk-log.ts";
import { DAY, instant } from "./instant.ts";
import type { Raise } from "./raise.ts";
import { statusOf } from "./status.ts";
import {
  remainingDays,
  remainingPerToken,
  reservePerToken,
  returnInDefault,
  yieldToMaturity,
} from "./yield.ts";

const PAR_BPS = 10_000n;

/** A visible listing as the desk sees it. */
export type TradedListing = {
  publicId: string;
  refnum: string;
  raise: Raise;
  /** lowercase; undefined where another listing had that token first */
  token: string | undefined;
  /** null where the token's transfers are not followed */
  holderCount: number | null;
};

export type TradingParameters = {
  /** null where no desk is followed */
  desk: string | null;
  /** every log of the desk, up to the head */
  logs: readonly DeskLog[];
  /** the visible listings, in the market's order */
  listings: readonly TradedListing[];
  /** the head's timestamp, unix seconds */
  now: bigint;
};

const DISABLED_TRADING = {
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

export type Trading = typeof DISABLED_TRADING | ReturnType<typeof describeTrading>;

export function tradingOf({ desk, ...rest }: TradingParameters): Trading {
  return desk === null ? DISABLED_TRADING : describeTrading({ desk, ...rest });
}

function describeTrading({ desk, logs, listings, now }: TradingParameters & { desk: string }) {
  const ordered = inChainOrder(logs);
  const rows = listings
    .map((listing) => ({ listing, ...seenOf(listing, ordered, now) }))
    .filter(({ listing, isSeen }) => isSeen || listing.raise.drawdown);
  const shown = rows.filter(({ listing, fills }) => {
    const recent = since(fills, now - 30n * DAY).filter(({ isSelfTrade }) => !isSelfTrade);
    return recent.length > 0 || !isOver(listing.raise, now);
  });
  const open = rows.flatMap((row) => row.open);
  const fills = rows.flatMap((row) => row.fills.map((fill) => ({ ...fill, of: row.listing })));
  const trades = inChainOrder(fills.filter(({ isSelfTrade }) => !isSelfTrade));
  const lastDay = since(trades, now - DAY);
  const lastMonth = since(trades, now - 30n * DAY);
  const last = trades.at(-1);
  return {
    enabled: true,
    deskAddress: desk.toLowerCase(),
    openOffers: open.length,
    openAmount: `${sum(open.map(({ remaining }) => remaining))}`,
    openNotional: `${sum(open.map(notional))}`,
    bestAskBps: bestAsk(open),
    trades24h: lastDay.length,
    trades30d: lastMonth.length,
    tradesTotal: trades.length,
    volume24h: volume(lastDay),
    volume30d: volume(lastMonth),
    volumeTotal: volume(trades),
    selfTrades: fills.length - trades.length,
    vwap30dBps: priceOf(lastMonth),
    sellers30d: new Set(lastMonth.map(({ seller }) => seller)).size,
    buyers30d: new Set(lastMonth.map(({ buyer }) => buyer)).size,
    lastTrade: last
      ? {
          publicId: last.of.publicId,
          refnum: last.of.refnum,
          priceBps: priceOf([last]),
          amount: `${last.amount}`,
          cost: `${last.cost}`,
          at: instant(last.at),
          txHash: last.txHash,
        }
      : null,
    listings: shown.map((row) => describeRow(row, now)),
  };
}

function isOver(raise: Raise, now: bigint): boolean {
  return raise.terminal !== undefined || statusOf(raise, now) === "refunding";
}

type Row = { listing: TradedListing } & ReturnType<typeof seenOf>;

function describeRow({ listing, open, fills }: Row, now: bigint) {
  const { raise, publicId, refnum, holderCount } = listing;
  const trades = fills.filter(({ isSelfTrade }) => !isSelfTrade);
  const days = remainingDays(raise, now);
  const [cheapest] = lowestFirst(open);
  const perToken = remainingPerToken(raise);
  const reserve = reservePerToken(raise);
  return {
    publicId,
    refnum,
    openOffers: open.length,
    openAmount: `${sum(open.map(({ remaining }) => remaining))}`,
    bestAskBps: bestAsk(open),
    lastPriceBps: priceOf(trades.slice(-1)),
    volume30d: volume(since(trades, now - 30n * DAY)),
    tradesTotal: trades.length,
    holderCount,
    remainingDays: days === null ? null : served(days),
    remainingPerTokenBps: perToken === null ? null : served(perToken),
    yieldToMaturityBps:
      cheapest && days && perToken !== null
        ? served(yieldToMaturity(perToken, cheapest.priceBps, days))
        : null,
    reservePerTokenBps: reserve === null ? null : served(reserve),
    returnInDefaultBps:
      cheapest && cheapest.priceBps > 0n && reserve !== null
        ? served(returnInDefault(reserve, cheapest.priceBps))
        : null,
  };
}

/**
 * The trades of a listing between two parties, oldest first, each with the yield that its buyer had then: none before the drawdown
 * and once the raise has ended.
 * @param history every log of the listing
 * @param logs of the desk
 */
export function tradesOf(listing: TradedListing, history: readonly ChainLog[], logs: readonly DeskLog[]) {
  const { raise } = listing;
  const { fills } = seenOf(listing, inChainOrder(logs), 0n);
  return fills
    .filter(({ isSelfTrade }) => !isSelfTrade)
    .map((fill) => {
      const paid = those(history, "Repaid").filter((log) => isBefore(log, fill));
      const then = {
        ...raise,
        drawdown: raise.drawdown && raise.drawdown.at <= fill.at ? raise.drawdown : undefined,
        terminal: raise.terminal && raise.terminal.at <= fill.at ? raise.terminal : undefined,
        repaid: sum(paid.map(({ args }) => args.principal + args.interest)),
      };
      const [days, perToken] = [remainingDays(then, fill.at), remainingPerToken(then)];
      const price = (PAR_BPS * fill.cost) / fill.amount;
      return {
        at: instant(fill.at),
        priceBps: served(price),
        yieldToMaturityBps:
          price > 0n && days && perToken !== null ? served(yieldToMaturity(perToken, price, days)) : null,
      };
    });
}

/** @param logs of the desk, in the chain's order */
function seenOf({ raise, token }: TradedListing, logs: readonly DeskLog[], now: bigint) {
  const offers = offersOf(logs).filter((offer) => offer.token === token);
  const fills = deskLogs(logs, "OfferFilled").filter(({ args }) => args.token.toLowerCase() === token);
  const isTradable = statusOf(raise, now) === "live";
  return {
    isSeen: offers.length + fills.length > 0,
    open: offers.filter(({ remaining, expiresAt }) => isTradable && remaining > 0n && now < expiresAt),
    fills: fills.map(({ args, ...place }) => {
      const { offerId, buyer, amount, cost } = args;
      const seller = offers.find(({ id }) => id === offerId)?.seller;
      return { ...place, seller, buyer, amount, cost, isSelfTrade: seller === buyer };
    }),
  };
}

/**
 * Every offer that was made and what the desk still has of it, in base units: nothing of one that was cancelled.
 * @param logs of the desk, in the chain's order
 */
export function offersOf(logs: readonly DeskLog[]) {
  const cancelled = deskLogs(logs, "OfferCancelled").map(({ args }) => args.offerId);
  const fills = deskLogs(logs, "OfferFilled");
  return deskLogs(logs, "OfferCreated").map(({ args: { offerId: id, token, amount, ...offer } }) => {
    const left = fills.findLast(({ args }) => args.offerId === id)?.args.remaining ?? amount;
    return { ...offer, id, token: token.toLowerCase(), remaining: cancelled.includes(id) ? 0n : left };
  });
}

/** The desk's charge for the whole remainder, rounded up as it does. */
function notional({ remaining, priceBps }: { remaining: bigint; priceBps: bigint }): bigint {
  return (remaining * priceBps + PAR_BPS - 1n) / PAR_BPS;
}

function lowestFirst<Offer extends { priceBps: bigint }>(open: readonly Offer[]): Offer[] {
  return [...open].sort((one, other) => (one.priceBps < other.priceBps ? -1 : 1));
}

function bestAsk(open: readonly { priceBps: bigint }[]): number | null {
  const [cheapest] = lowestFirst(open);
  return cheapest ? served(cheapest.priceBps) : null;
}

function since<Trade extends { at: bigint }>(trades: readonly Trade[], moment: bigint): Trade[] {
  return trades.filter(({ at }) => at > moment);
}

/** In tokens, as the description of the interface says: what the average price is weighted by. */
function volume(trades: readonly { amount: bigint }[]): string {
  return `${sum(trades.map(({ amount }) => amount))}`;
}

/** The price of one trade, or the average of several by amount; null without any. */
export function priceOf(trades: readonly { cost: bigint; amount: bigint }[]): number | null {
  const amount = sum(trades.map((trade) => trade.amount));
  return amount === 0n ? null : served((PAR_BPS * sum(trades.map(({ cost }) => cost))) / amount);
}

/** Anybody may ask any price, and pay any sum: beyond what every reader of JSON keeps exactly, that bound is served. */
function served(integer: bigint): number {
  const most = BigInt(Number.MAX_SAFE_INTEGER);
  if (integer < -most) return Number(-most);
  return Number(integer < most ? integer : most);
}
