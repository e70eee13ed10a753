/** @module The shape of `trading`. Interface document, "Secondary-desk summary". */
import { z } from "@hono/zod-openapi";
import {
  address,
  amount,
  basisPoints,
  count,
  flag,
  listOf,
  price,
  refnum,
  text,
  time,
  txHash,
} from "./fields.ts";

const publicId = text("Public id of the listing.", "lst_bakery");
const lastTradeSchema = z
  .object({
    publicId,
    refnum: refnum("Its reference number"),
    priceBps: price("Price"),
    amount: amount("Tokens traded"),
    cost: amount("Dollars paid"),
    at: time("Block time of the fill"),
    txHash,
  })
  .openapi({ description: "The last fill between two parties." });

const deskListingSchema = z
  .object({
    publicId,
    refnum: refnum("Its reference number"),
    openOffers: count("Open offers"),
    openAmount: amount("Tokens on offer"),
    bestAskBps: price("Lowest open price").nullable(),
    lastPriceBps: price("Price of the last fill").nullable(),
    volume30d: amount("Tokens traded in 30 days"),
    tradesTotal: count("Fills so far"),
    holderCount: count("Holders of the token; null when not counted").nullable(),
    remainingDays: count(
      "Whole days to maturity; null before the drawdown and once the raise has ended",
    ).nullable(),
    remainingPerTokenBps: basisPoints(
      "Principal and interest still to be paid for a token, of par: what is due less what was paid; null before the drawdown and once the raise has ended",
    ).nullable(),
    yieldToMaturityBps: basisPoints(
      "Simple yield to maturity of a buyer at the best ask, who receives `remainingPerTokenBps`; negative at a price above it, null without an offer or a day left",
    ).nullable(),
    reservePerTokenBps: basisPoints(
      "Share of par that the reserve would pay for a token if nothing more were repaid; null before the drawdown and once the raise has ended",
      800,
    ).nullable(),
    returnInDefaultBps: basisPoints(
      "Return of a buyer at the best ask if nothing more is repaid and only the reserve pays: of the price, not per year; -10000 = all is lost, null without an offer",
      -9157,
    ).nullable(),
  })
  .openapi({ description: "One raise on the secondary desk." });

export const tradingSchema = z
  .object({
    enabled: flag("Whether a desk is indexed.", true),
    deskAddress: address("The desk; null without one").nullable(),
    openOffers: count("Open offers: with a remainder, not expired, of a live listing"),
    openAmount: amount("Tokens on offer").nullable(),
    openNotional: amount("Asking total of the open offers").nullable(),
    bestAskBps: price("Lowest open price").nullable(),
    trades24h: count("Fills between two parties in 24 hours"),
    trades30d: count("Fills between two parties in 30 days"),
    tradesTotal: count("Fills between two parties so far"),
    volume24h: amount("Tokens traded in 24 hours").nullable(),
    volume30d: amount("Tokens traded in 30 days").nullable(),
    volumeTotal: amount("Tokens traded so far").nullable(),
    selfTrades: count("Fills in which seller and buyer are one; counted nowhere else"),
    vwap30dBps: price("Average price of 30 days, weighted by volume").nullable(),
    sellers30d: count("Sellers in 30 days"),
    buyers30d: count("Buyers in 30 days"),
    lastTrade: lastTradeSchema.nullable(),
    listings: listOf(
      deskListingSchema,
      "Visible listings whose token can change hands or that the desk has seen, newest first. One that has ended leaves them 30 days after its last trade; the totals keep its trades.",
    ),
  })
  .openapi("Trading", {
    description: "The secondary desk in one object. Windows end at the last indexed block.",
  });

export type Trading = z.infer<typeof tradingSchema>;
