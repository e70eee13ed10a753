/**
 * `trading`: the secondary desk in one object, returned next to the listings.
 * Interface document, "Secondary-desk summary".
 * @module
 */
import type { Trading } from "./schema.ts";

/** The summary of a service that follows no desk: every key, nothing in it. */
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
