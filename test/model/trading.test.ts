import { expect, test } from "vitest";
import { raiseOf } from "./raise.ts";
import {
  ALICE,
  BOB,
  CAROL,
  TERMS,
  TOKEN,
  type Told,
  type ToldOfDesk,
  tell,
  tellOfDesk,
  txHash,
} from "./tell.ts";
import { DISABLED_TRADING, type TradedListing, tradingOf } from "./trading.ts";

const DAY = 86_400n;
const DESK = "0x00000000000000000000000000000000000000DE";
const OTHER_TOKEN = "0x00000000000000000000000000000000000000c2";
const FOREIGN_TOKEN = "0x00000000000000000000000000000000000000C9";
const NOW = 111n * DAY;

const terms = { ...TERMS, tenorDays: 200, closeAt: 10n * DAY };
const funded: Told[] = [
  [50n, "ListingCreated", { terms }],
  [110n, "Subscribed", { amount: 600n, totalRaised: 600n }],
  [10n * DAY, "ListingClosed", { raisedAmount: 600n, couponRateBps: 1450 }],
];
const drawn: Told[] = [
  ...funded,
  [11n * DAY, "DrawnDown", { amount: 600n, maturityAt: 211n * DAY + DAY - 1n }],
];

function listing(events: readonly Told[], token: string = TOKEN, publicId = "lst_a"): TradedListing {
  return { publicId, refnum: "RB00001", raise: raiseOf(tell(...events)), token, holderCount: 3 };
}

const offers: ToldOfDesk[] = [
  [50n * DAY, "OfferCreated", { offerId: 1n, amount: 100n, priceBps: 9500n, expiresAt: 200n * DAY }],
  [60n * DAY, "OfferFilled", { offerId: 1n, amount: 30n, cost: 29n, remaining: 70n }],
  [61n * DAY, "OfferCreated", { offerId: 5n, seller: CAROL, amount: 9n, priceBps: 10000n, expiresAt: NOW }],
  // Thirty days ago to the second, which is no more within thirty days.
  [81n * DAY, "OfferFilled", { offerId: 5n, buyer: ALICE, amount: 9n, cost: 9n, remaining: 0n }],
  [100n * DAY, "OfferFilled", { offerId: 1n, buyer: ALICE, amount: 10n, cost: 10n, remaining: 60n }],
  [100n * DAY, "OfferCreated", { offerId: 2n, seller: BOB, amount: 7n, priceBps: 10001n, expiresAt: NOW }],
  [
    100n * DAY,
    "OfferCreated",
    { offerId: 4n, seller: CAROL, amount: 8n, priceBps: 1n, expiresAt: NOW + DAY },
  ],
  [101n * DAY, "OfferCancelled", { offerId: 4n, remaining: 8n }],
  // A day ago to the second.
  [110n * DAY, "OfferFilled", { offerId: 1n, buyer: CAROL, amount: 20n, cost: 19n, remaining: 40n }],
  [110n * DAY + 1n, "OfferFilled", { offerId: 1n, buyer: BOB, amount: 10n, cost: 10n, remaining: 30n }],
  [
    111n * DAY,
    "OfferCreated",
    { offerId: 3n, seller: BOB, amount: 5n, priceBps: 9999n, expiresAt: NOW + 1n },
  ],
];

test("no desk: everything is off", () => {
  const logs = tellOfDesk(...offers);
  expect(tradingOf({ desk: null, logs, listings: [listing(drawn)], now: NOW })).toBe(DISABLED_TRADING);
});

test("a desk without a word: counts and sums are nothing, prices are null", () => {
  expect(tradingOf({ desk: DESK, logs: [], listings: [listing(funded)], now: NOW })).toEqual({
    enabled: true,
    deskAddress: DESK.toLowerCase(),
    openOffers: 0,
    openAmount: "0",
    openNotional: "0",
    bestAskBps: null,
    trades24h: 0,
    trades30d: 0,
    tradesTotal: 0,
    volume24h: "0",
    volume30d: "0",
    volumeTotal: "0",
    selfTrades: 0,
    vwap30dBps: null,
    sellers30d: 0,
    buyers30d: 0,
    lastTrade: null,
    listings: [],
  });
});

test("a desk of one listing, told in full", () => {
  // Whatever order the logs arrive in.
  const logs = tellOfDesk(...offers).toReversed();
  expect(tradingOf({ desk: DESK, logs, listings: [listing(drawn)], now: NOW })).toEqual({
    enabled: true,
    deskAddress: DESK.toLowerCase(),
    // 30 at 9500 and 5 at 9999: each rounded up, 29 and 5.
    openOffers: 2,
    openAmount: "35",
    openNotional: "34",
    bestAskBps: 9500,
    trades24h: 1,
    trades30d: 2,
    tradesTotal: 4,
    volume24h: "10",
    volume30d: "30",
    volumeTotal: "69",
    selfTrades: 1,
    vwap30dBps: 9666,
    sellers30d: 1,
    buyers30d: 2,
    lastTrade: {
      publicId: "lst_a",
      refnum: "RB00001",
      priceBps: 10000,
      amount: "10",
      cost: "10",
      at: "1970-04-21T00:00:01Z",
      txHash: txHash(10),
    },
    listings: [
      {
        publicId: "lst_a",
        refnum: "RB00001",
        openOffers: 2,
        openAmount: "35",
        bestAskBps: 9500,
        lastPriceBps: 10000,
        volume30d: "30",
        tradesTotal: 4,
        holderCount: 3,
        remainingDays: 100,
        // 600 and an interest of 47 (1450 for 200 days, rounded down): 10783 for each 10000.
        remainingPerTokenBps: 10_783,
        // 10783 for 95: 11350, so 1350 in 100 days.
        yieldToMaturityBps: 4927,
        // without a reserve
        reservePerTokenBps: 0,
        returnInDefaultBps: -10_000,
      },
    ],
  });
});

test("a second before it expires an offer is open", () => {
  const listings = [listing(drawn)];
  const logs = tellOfDesk(...offers);
  expect(tradingOf({ desk: DESK, logs, listings, now: NOW - 1n })).toMatchObject({ openOffers: 3 });
  expect(tradingOf({ desk: DESK, logs, listings, now: NOW + 1n })).toMatchObject({ openOffers: 1 });
});

test("above par there is a loss, rounded down; and no yield on the last day", () => {
  const dear: ToldOfDesk = [
    50n * DAY,
    "OfferCreated",
    { amount: 1n, priceBps: 12_000n, expiresAt: 999n * DAY },
  ];
  const rowAt = (now: bigint) =>
    tradingOf({ desk: DESK, logs: tellOfDesk(dear), listings: [listing(drawn)], now }).listings[0];
  expect(rowAt(NOW)).toMatchObject({ remainingDays: 100, yieldToMaturityBps: -3705 });
  expect(rowAt(211n * DAY)).toMatchObject({ remainingDays: 0, yieldToMaturityBps: null, bestAskBps: 12_000 });
  expect(rowAt(300n * DAY)).toMatchObject({ remainingDays: 0, yieldToMaturityBps: null, bestAskBps: 12_000 });
});

test("a price above what JSON keeps exactly is served as that bound", () => {
  const absurd: ToldOfDesk = [
    1n,
    "OfferCreated",
    { amount: 1n, priceBps: 2n ** 255n, expiresAt: 999n * DAY },
  ];
  const trading = tradingOf({ desk: DESK, logs: tellOfDesk(absurd), listings: [listing(drawn)], now: NOW });
  expect(trading).toMatchObject({
    bestAskBps: 9_007_199_254_740_991,
    openNotional: `${2n ** 255n / 10_000n + 1n}`,
    listings: [{ yieldToMaturityBps: -36_500 }],
  });
});

test("offers are open where the listing is live; it is listed where it was drawn or the desk has seen it", () => {
  const offer = (offerId: bigint, token: string): ToldOfDesk => [
    60n * DAY,
    "OfferCreated",
    { offerId, token: token as `0x${string}`, amount: 4n, priceBps: 5000n, expiresAt: NOW + 1n },
  ];
  const logs = tellOfDesk(offer(1n, TOKEN), offer(2n, OTHER_TOKEN), offer(3n, FOREIGN_TOKEN));
  const failed: Told[] = [[50n, "ListingCreated", { terms: { ...terms, closeAt: 200n } }]];
  const settled: Told[] = [...drawn, [100n * DAY, "ListingSettled", { outcome: 0 }]];
  const trading = (...listings: TradedListing[]) => tradingOf({ desk: DESK, logs, listings, now: NOW });
  expect(trading(listing(funded), listing(failed, OTHER_TOKEN, "lst_b"))).toMatchObject({
    openOffers: 1,
    openAmount: "4",
    listings: [
      { publicId: "lst_a", openOffers: 1, remainingDays: null, yieldToMaturityBps: null },
      { publicId: "lst_b", openOffers: 0, openAmount: "0", bestAskBps: null },
    ],
  });
  expect(trading(listing(settled))).toMatchObject({ openOffers: 0, listings: [{ remainingDays: null }] });
  // Drawn, but another listing had its token first: nothing that is said of the token is said of it.
  expect(trading({ ...listing(drawn), token: undefined })).toMatchObject({
    openOffers: 0,
    listings: [{ publicId: "lst_a", openOffers: 0 }],
  });
});

test("an unpublished listing counts nowhere", () => {
  const trading = tradingOf({ desk: DESK, logs: tellOfDesk(...offers), listings: [], now: NOW });
  expect(trading).toMatchObject({
    tradesTotal: 0,
    selfTrades: 0,
    openOffers: 0,
    lastTrade: null,
    listings: [],
  });
});

test("the reserve pays the principal still owed in a default, and a price above that loses the rest", () => {
  const reserve: Told = [9n * DAY, "ReserveChanged", { reason: 0, amount: 90n, reserveBalance: 90n }];
  const repaid: Told = [50n * DAY, "Repaid", { principal: 550n, interest: 0n, outstandingPrincipal: 50n }];
  const rowOf = (...events: readonly Told[]) => {
    const logs = tellOfDesk(...offers);
    return tradingOf({ desk: DESK, logs, listings: [listing(events)], now: NOW }).listings[0];
  };
  // 90 of 600; at 9500 that leaves 1578 of 10000, rounded down.
  const [first, ...others] = drawn;
  if (first === undefined) throw new Error("no creation");
  expect(rowOf(first, reserve, ...others)).toMatchObject({
    reservePerTokenBps: 1500,
    returnInDefaultBps: -8422,
  });
  // Only 50 are owed, of 600.
  expect(rowOf(first, reserve, ...others, repaid)).toMatchObject({ reservePerTokenBps: 833 });
});
