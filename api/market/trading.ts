/**
 * `trading`: the secondary desk in one object, returned next to the listings.
 * Interface document, "Secondary-desk summary". Over visible listings alone, so that totals are the sums of their parts.
 * @module
 */
import type { Hex } from "viem";
import { isoTime } from "../../format/time.ts";
import type { ListingRow, OfferRow, TradeRow } from "../../src/fold/state.ts";
import { pairKey } from "../registry/schema.ts";
import type { Published } from "./listing.ts";
import type { Trading } from "./trading-schema.ts";
import { chargeOf, priceBps, toBps, yieldToMaturityBps } from "./yield.ts";

const DAY = 86_400n;
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

type DeskFacts = {
  address: Hex;
  offers: readonly OfferRow[];
  /** in the order of the chain */
  trades: readonly TradeRow[];
};

export type TradingParameters = {
  /** null when no desk is followed */
  desk: DeskFacts | null;
  /** the visible listings in the order of the market */
  published: readonly Published[];
  /** null where holders are not counted */
  holderCount(row: ListingRow): number | null;
  /** unix seconds */
  now: bigint;
};

/** Offers and trades of the visible listings, with windows and expiry at `now`. */
export function tradingAt({ desk, published, holderCount, now }: TradingParameters): Trading {
  if (desk === null) return TRADING_DISABLED;
  const offers = Map.groupBy(desk.offers, pairKey);
  const trades = Map.groupBy(desk.trades, pairKey);
  const entries = published.flatMap((listing): DeskEntry[] => {
    const pair = pairKey(listing.row);
    const own = { offers: offers.get(pair) ?? [], trades: trades.get(pair) ?? [] };
    const unheardOf = own.offers.length === 0 && own.trades.length === 0;
    if (unheardOf && listing.row.drawnDownAt === null) return [];
    return [entryOf({ ...listing, ...own, now })];
  });

  const open = entries.flatMap((entry) => entry.open);
  const fills = entries.flatMap((entry) => entry.fills);
  const within24h = fills.filter(({ trade }) => trade.blockTime > now - DAY);
  const within30d = fills.filter(({ trade }) => trade.blockTime > now - THIRTY_DAYS);
  const volume30d = sumOf(within30d, ({ trade }) => trade.amount);
  return {
    enabled: true,
    deskAddress: desk.address,
    openOffers: open.length,
    openAmount: sumOf(open, ({ remaining }) => remaining).toString(),
    openNotional: sumOf(open, (offer) => chargeOf(offer.remaining, offer.priceBps)).toString(),
    bestAskBps: bpsOrNull(bestAsk(open)),
    trades24h: within24h.length,
    trades30d: within30d.length,
    tradesTotal: fills.length,
    volume24h: sumOf(within24h, ({ trade }) => trade.amount).toString(),
    volume30d: volume30d.toString(),
    volumeTotal: sumOf(fills, ({ trade }) => trade.amount).toString(),
    selfTrades: entries.reduce((count, entry) => count + entry.selfTrades, 0),
    vwap30dBps:
      volume30d === 0n
        ? null
        : toBps(
            priceBps(
              sumOf(within30d, ({ trade }) => trade.cost),
              volume30d,
            ),
          ),
    sellers30d: new Set(within30d.map(({ trade }) => trade.seller)).size,
    buyers30d: new Set(within30d.map(({ trade }) => trade.buyer)).size,
    lastTrade: lastTradeOf(fills),
    listings: entries.map((entry) => summaryOf(entry, holderCount, now)),
  };
}

/** A fill between two parties, and the listing of the token. */
type Fill = { trade: TradeRow; listing: Published["listing"] };
/** The desk's view of one listing. */
type DeskEntry = Published & { open: OfferRow[]; fills: Fill[]; selfTrades: number };

function entryOf(
  known: Published & { offers: readonly OfferRow[]; trades: readonly TradeRow[]; now: bigint },
): DeskEntry {
  const { row, listing, offers, trades, now } = known;
  const fills = trades.filter(({ seller, buyer }) => seller !== buyer);
  return {
    row,
    listing,
    open: listing.status === "live" ? offers.filter((offer) => isOpen(offer, now)) : [],
    fills: fills.map((trade) => ({ trade, listing })),
    selfTrades: trades.length - fills.length,
  };
}

/** The desk refuses a fill in the second of the expiry. */
function isOpen({ cancelledAt, remaining, expiresAt }: OfferRow, now: bigint): boolean {
  return cancelledAt === null && remaining > 0n && now < expiresAt;
}

function summaryOf(
  { row, listing, open, fills }: DeskEntry,
  holderCount: TradingParameters["holderCount"],
  now: bigint,
): Trading["listings"][number] {
  const ask = bestAsk(open);
  const last = fills.at(-1);
  const remainingDays = remainingDaysOf(row, now);
  const within30d = fills.filter(({ trade }) => trade.blockTime > now - THIRTY_DAYS);
  return {
    publicId: listing.publicId,
    refnum: listing.refnum,
    openOffers: open.length,
    openAmount: sumOf(open, ({ remaining }) => remaining).toString(),
    bestAskBps: bpsOrNull(ask),
    lastPriceBps: last === undefined ? null : toBps(priceBps(last.trade.cost, last.trade.amount)),
    volume30d: sumOf(within30d, ({ trade }) => trade.amount).toString(),
    tradesTotal: fills.length,
    holderCount: holderCount(row),
    remainingDays: remainingDays === null ? null : Number(remainingDays),
    yieldToMaturityBps:
      ask === null || ask === 0n || remainingDays === null || remainingDays === 0n
        ? null
        : toBps(
            yieldToMaturityBps({
              couponBps: BigInt(listing.couponRateBps),
              tenorDays: BigInt(listing.tenorDays),
              price: ask,
              remainingDays,
            }),
          ),
  };
}

/**
 * Whole days to maturity, below 2^48 since a maturity is a uint64; null before the drawdown and once the raise has
 * ended.
 */
function remainingDaysOf({ drawnDownAt, maturityAt, terminalKind }: ListingRow, now: bigint): bigint | null {
  if (drawnDownAt === null || maturityAt === null || terminalKind !== null) return null;
  return maturityAt > now ? (maturityAt - now) / DAY : 0n;
}

/** The exact price: only the served one is bounded, and the yield needs the price really asked. */
function bestAsk(open: readonly OfferRow[]): bigint | null {
  return open.reduce<bigint | null>(
    (best, offer) => (best === null || offer.priceBps < best ? offer.priceBps : best),
    null,
  );
}

function bpsOrNull(price: bigint | null): number | null {
  return price === null ? null : toBps(price);
}

function lastTradeOf(fills: readonly Fill[]): Trading["lastTrade"] {
  const last = fills.reduce<Fill | null>(
    (latest, fill) => (latest === null || fill.trade.eventId > latest.trade.eventId ? fill : latest),
    null,
  );
  if (last === null) return null;
  const { trade, listing } = last;
  return {
    publicId: listing.publicId,
    refnum: listing.refnum,
    priceBps: toBps(priceBps(trade.cost, trade.amount)),
    amount: trade.amount.toString(),
    cost: trade.cost.toString(),
    at: isoTime(trade.blockTime),
    txHash: trade.txHash,
  };
}

function sumOf<Item>(items: readonly Item[], amountOf: (item: Item) => bigint): bigint {
  return items.reduce((sum, item) => sum + amountOf(item), 0n);
}
