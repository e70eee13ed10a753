/** @module Histories of one listing around its freeze, which random ones meet too rarely. */
import type { LocatedEvent } from "../../src/fold/events.ts";
import { AUCTION, escrowLog, placeAt, REFUND, rawTerms, toListingEvent } from "./book.ts";

/** Each log with the time of its block. */
const EDGES: Record<string, [bigint, ...Parameters<typeof escrowLog>][]> = {
  "withdrawn after the close": [
    [1n, "ListingCreated", { terms: rawTerms({ closeAt: 0n }) }],
    [5n, "Subscribed", { amount: 100n, totalRaised: 100n }],
    [6n, "Refunded", { amount: 10n, totalRefunded: 10n }],
    [7n, "ListingClosed", { raisedAmount: 90n }],
    [8n, "Refunded", { amount: 40n, totalRefunded: 50n }],
  ],
  "subscribed in the second of the closing time": [
    [1n, "ListingCreated", { terms: rawTerms({ closeAt: 50n }) }],
    [49n, "Subscribed", { amount: 100n, totalRaised: 100n }],
    [50n, "Subscribed", { amount: 7n, totalRaised: 107n }],
  ],
  "terms that come in the second of the closing time": [
    [1n, "ListingCreated", { terms: rawTerms({ closeAt: 50n }) }],
    [10n, "Subscribed", { amount: 100n, totalRaised: 100n }],
    [50n, "ListingTermsUpdated", { terms: rawTerms({ closeAt: 0n }) }],
    [60n, "Subscribed", { amount: 7n, totalRaised: 107n }],
  ],
  "a closing time that is moved in time": [
    [1n, "ListingCreated", { terms: rawTerms({ closeAt: 50n }) }],
    [40n, "ListingTermsUpdated", { terms: rawTerms({ closeAt: 100n }) }],
    [60n, "Subscribed", { amount: 100n, totalRaised: 100n }],
    [110n, "Subscribed", { amount: 7n, totalRaised: 107n }],
  ],
  "an auction that is cleared after its deadline": [
    [1n, "ListingCreated", { terms: rawTerms({ closeAt: 50n, pricingMode: AUCTION }) }],
    [40n, "Subscribed", { amount: 100n, totalRaised: 100n }],
    [60n, "Refunded", { reason: REFUND.outbid, amount: 30n, totalRefunded: 30n }],
    [60n, "ListingClosed", { raisedAmount: 70n }],
    [61n, "Refunded", { reason: REFUND.outbid, amount: 20n, totalRefunded: 50n }],
  ],
  "an outbid refund of a raise without an auction, after its deadline": [
    [1n, "ListingCreated", { terms: rawTerms({ closeAt: 50n }) }],
    [40n, "Subscribed", { amount: 100n, totalRaised: 100n }],
    [60n, "Refunded", { reason: REFUND.outbid, amount: 30n, totalRefunded: 30n }],
  ],
};

export function edgeHistories(): LocatedEvent[][] {
  return Object.values(EDGES).map((logs) =>
    logs.map(([blockTime, name, args], index) => ({
      ...toListingEvent(escrowLog(name, args)),
      at: placeAt(index + 1, blockTime),
    })),
  );
}
