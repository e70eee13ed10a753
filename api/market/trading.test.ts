import { describe, expect, it } from "vitest";
import type { ListingRow, OfferRow, TradeRow } from "../../src/fold/state.ts";
import { OLD_ESCROW, publishedOf, tradingAt } from "../../test/harness/published.ts";
import {
  BUYER,
  DAY,
  DESK,
  DOLLAR,
  DRAWN,
  listingRow,
  NOW,
  offerRow,
  SELLER,
  tradeRow,
} from "../../test/harness/rows.ts";
import { TRADING_DISABLED } from "./trading.ts";
import { tradingSchema } from "./trading-schema.ts";

const MAX = 2n ** 256n - 1n;
const SAFE = Number.MAX_SAFE_INTEGER;

type Draft = {
  offers?: OfferRow[];
  trades?: TradeRow[];
  rows?: ListingRow[];
  now?: bigint;
  holders?: number | null;
};

function trading({
  offers = [],
  trades = [],
  rows = [listingRow(DRAWN)],
  now = NOW,
  holders = 7,
}: Draft = {}) {
  const result = tradingAt({
    desk: { address: DESK, offers, trades },
    published: publishedOf(...rows),
    holderCount: () => holders,
    now,
  });
  expect(tradingSchema.safeParse(result).error).toBeUndefined();
  return result;
}

const SETTLED = { ...DRAWN, terminalKind: "settled", terminalAt: NOW, writtenOffPrincipal: 0n } as const;

const one = (draft: Draft) => trading(draft).listings[0];
const dollars = (amount: bigint) => (amount * DOLLAR).toString();

describe("without a desk", () => {
  it("every key is there, and nothing in it", () => {
    const none = tradingAt({
      desk: null,
      published: publishedOf(listingRow(DRAWN)),
      holderCount: () => 7,
      now: NOW,
    });
    expect(none).toBe(TRADING_DISABLED);
    expect(Object.keys(none)).toEqual(Object.keys(trading()));
  });
});

describe("a desk on which nothing happened", () => {
  it("has zero sums and counts, and no prices", () => {
    expect(trading()).toEqual({
      enabled: true,
      deskAddress: DESK,
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
      listings: [
        {
          publicId: "lst_1",
          refnum: "RB00001",
          openOffers: 0,
          openAmount: "0",
          bestAskBps: null,
          lastPriceBps: null,
          volume30d: "0",
          tradesTotal: 0,
          holderCount: 7,
          remainingDays: 100,
          remainingPerTokenBps: 10_715,
          yieldToMaturityBps: null,
          reservePerTokenBps: 0,
          returnInDefaultBps: null,
        },
      ],
    });
  });

  it("has a listing once its money was drawn, or the desk has seen its token", () => {
    const open = listingRow({ onchainId: 2n });
    expect(trading({ rows: [open] }).listings).toEqual([]);
    const offer = offerRow({ onchainId: 2n, cancelledAt: NOW });
    expect(trading({ rows: [open], offers: [offer] }).listings).toMatchObject([
      { publicId: "lst_2", openOffers: 0, remainingDays: null },
    ]);
    const fill = tradeRow({ onchainId: 2n });
    expect(trading({ rows: [open], trades: [fill] }).listings).toMatchObject([
      { publicId: "lst_2", tradesTotal: 1, remainingDays: null },
    ]);
  });

  it("has its listings in the order of the market", () => {
    const rows = [2n, 1n, 3n].map((onchainId) =>
      listingRow({ ...DRAWN, onchainId, goLiveAt: NOW - onchainId * DAY }),
    );
    expect(trading({ rows }).listings.map(({ publicId }) => publicId)).toEqual(["lst_1", "lst_2", "lst_3"]);
  });

  it("keeps the listings of two escrows apart, whose ids are the same", () => {
    const old = listingRow({ ...DRAWN, escrowAddress: OLD_ESCROW, goLiveAt: NOW - 200n * DAY });
    const result = trading({
      rows: [old, listingRow(DRAWN)],
      offers: [offerRow({ escrowAddress: OLD_ESCROW })],
      trades: [tradeRow()],
    });
    expect(result.listings).toMatchObject([
      { publicId: "lst_1", openOffers: 0, tradesTotal: 1 },
      { publicId: "lst_1_old", openOffers: 1, tradesTotal: 0 },
    ]);
  });

  it("says null where holders are not counted", () => {
    expect(one({ holders: null })?.holderCount).toBeNull();
    expect(one({ holders: 0 })?.holderCount).toBe(0);
  });
});

describe("offers", () => {
  it("are summed over their remainders, each charged as the desk would", () => {
    const offers = [
      offerRow({ remaining: 60n * DOLLAR }),
      offerRow({ offerId: 2n, priceBps: 10_100n }),
      // 101 · 0.9901 = 100.0001: the desk charges 101 for each, not 201 for both
      offerRow({ offerId: 3n, remaining: 101n, priceBps: 9_901n }),
      offerRow({ offerId: 4n, remaining: 101n, priceBps: 9_901n }),
    ];
    const { openOffers, openAmount, openNotional, bestAskBps, listings } = trading({ offers });
    expect([openOffers, openAmount, bestAskBps]).toEqual([4, `${160n * DOLLAR + 202n}`, 9_500]);
    expect(openNotional).toBe(`${57n * DOLLAR + 101n * DOLLAR + 202n}`);
    expect(listings[0]).toMatchObject({ openOffers: 4, openAmount, bestAskBps });
    // 1450 bps for 180 days: 10715·10000/9500 = 11278; 1278·365/100 = 4664.7
    expect(listings[0]?.yieldToMaturityBps).toBe(4664);
  });

  it.each([
    ["without a remainder", { remaining: 0n }],
    ["cancelled", { cancelledAt: NOW - 1n }],
    ["in the second of the expiry", { expiresAt: NOW }],
  ])("%s are not open", (_, change) => {
    expect(trading({ offers: [offerRow(change)] })).toMatchObject({ openOffers: 0, bestAskBps: null });
    expect(trading({ offers: [offerRow()] }).openOffers).toBe(1);
  });

  it("are open until the second before they expire", () => {
    expect(trading({ offers: [offerRow({ expiresAt: NOW + 1n })] }).openOffers).toBe(1);
  });

  it("are open only while the listing is live", () => {
    for (const change of [SETTLED, {}]) {
      const rows = [listingRow(change)];
      expect(one({ rows, offers: [offerRow()], trades: [tradeRow({ blockTime: NOW })] })).toMatchObject({
        openOffers: 0,
        openAmount: "0",
        bestAskBps: null,
        remainingDays: null,
        remainingPerTokenBps: null,
        yieldToMaturityBps: null,
      });
    }
  });

  it("have the yield of the coupon at which an auction closed", () => {
    const rows = [listingRow({ ...DRAWN, pricingMode: "auction", closedCouponRateBps: 730 })];
    // 730 bps for 180 days: 10360·10000/9500 = 10905; 905·365/100 = 3303.25
    expect(one({ rows, offers: [offerRow()] })?.yieldToMaturityBps).toBe(3303);
  });

  it("have the yield of what is still to be paid, which is a loss above it", () => {
    const rows = [listingRow({ ...DRAWN, repaidPrincipal: 40_000n * DOLLAR, repaidInterest: 608n * DOLLAR })];
    // 45,112.54 of the 85,720.54 due are left: 5639 for a token. 5639·10000/9500 = 5935; −4065·365/100 = −14837.25
    expect(one({ rows, offers: [offerRow()] })).toMatchObject({
      remainingPerTokenBps: 5_639,
      yieldToMaturityBps: -14_838,
    });
  });

  it("have no yield on the day of maturity, and a negative one above what will be paid back", () => {
    const due = (left: bigint) =>
      one({ rows: [listingRow({ ...DRAWN, maturityAt: NOW + left })], offers: [offerRow()] });
    expect(due(DAY)).toMatchObject({ remainingDays: 1, yieldToMaturityBps: 466_470 });
    expect(due(DAY - 1n)).toMatchObject({ remainingDays: 0, yieldToMaturityBps: null });
    expect(due(-DAY)).toMatchObject({ remainingDays: 0, yieldToMaturityBps: null });
    const dear = one({ offers: [offerRow({ priceBps: 12_000n })] });
    // 10715·10000/12000 = 8929; −1071·365/100 = −3909.15
    expect(dear?.yieldToMaturityBps).toBe(-3910);
  });
});

describe("fills", () => {
  it("count in the windows of a day and of thirty, which end now and begin after their first second", () => {
    const at = (ago: bigint, amount: bigint) =>
      tradeRow({ blockTime: NOW - ago, amount: amount * DOLLAR, cost: (amount * DOLLAR) / 2n });
    const trades = [at(30n * DAY, 1n), at(30n * DAY - 1n, 2n), at(DAY, 4n), at(DAY - 1n, 8n), at(0n, 16n)];
    expect(trading({ trades })).toMatchObject({
      trades24h: 2,
      trades30d: 4,
      tradesTotal: 5,
      volume24h: dollars(24n),
      volume30d: dollars(30n),
      volumeTotal: dollars(31n),
      listings: [{ volume30d: dollars(30n), tradesTotal: 5 }],
    });
  });

  it("give the average price by volume, the last price, and who took part", () => {
    const trades = [
      tradeRow({ blockTime: NOW - 40n * DAY, cost: DOLLAR, seller: BUYER, buyer: SELLER }),
      tradeRow({ blockTime: NOW - 2n * DAY }),
      tradeRow({ blockTime: NOW - DAY, amount: 30n * DOLLAR, cost: 33n * DOLLAR, offerId: 2n }),
    ];
    // (9.5 + 33) / 40
    expect(trading({ trades })).toMatchObject({
      vwap30dBps: 10_625,
      sellers30d: 1,
      buyers30d: 1,
      lastTrade: {
        publicId: "lst_1",
        refnum: "RB00001",
        priceBps: 11_000,
        amount: dollars(30n),
        cost: dollars(33n),
        at: "2026-02-28T12:00:00Z",
        txHash: trades[2]?.txHash,
      },
      listings: [{ lastPriceBps: 11_000 }],
    });
  });

  it("keep a listing that has ended among those of the desk for 30 days, and count in the totals for good", () => {
    const trades = [tradeRow({ eventId: "1", blockTime: NOW }), tradeRow({ eventId: "2", buyer: SELLER })];
    const kept = {
      tradesTotal: 1,
      selfTrades: 1,
      volumeTotal: dollars(10n),
      lastTrade: { publicId: "lst_1" },
    };
    const ended = [SETTLED, { ...SETTLED, drawnDownAt: null, terminalKind: "voided" } as const];
    for (const rows of ended.map((row) => [listingRow(row)])) {
      const [before, then] = [30n * DAY - 1n, 30n * DAY].map((days) =>
        trading({ rows, trades, now: NOW + days }),
      );
      expect(before).toMatchObject({ ...kept, listings: [{ publicId: "lst_1", holderCount: 7 }] });
      expect(then).toMatchObject({ ...kept, volume30d: "0", listings: [] });
    }
    expect(trading({ rows: [listingRow(SETTLED)], offers: [offerRow()] }).listings).toEqual([]);
    expect(trading({ rows: [listingRow(DRAWN)], trades, now: NOW + 31n * DAY }).listings).toHaveLength(1);
  });

  it("with oneself are counted, and change no other figure", () => {
    const trades = [tradeRow({ blockTime: NOW - DAY }), tradeRow({ buyer: SELLER, cost: 1n })];
    expect(trading({ trades })).toMatchObject({
      selfTrades: 1,
      tradesTotal: 1,
      trades24h: 0,
      volumeTotal: dollars(10n),
      vwap30dBps: 9_500,
      sellers30d: 1,
      buyers30d: 1,
      lastTrade: { priceBps: 9_500 },
      listings: [{ lastPriceBps: 9_500, tradesTotal: 1 }],
    });
  });

  it("are left out with a listing that is not visible, as its offers are", () => {
    const offers = [offerRow({ onchainId: 9n })];
    const trades = [tradeRow({ onchainId: 9n })];
    expect(trading({ offers, trades })).toEqual(trading());
  });
});

describe("figures that no honest desk has", () => {
  it("stay within what JSON can say", () => {
    const offers = [offerRow({ remaining: MAX, priceBps: MAX })];
    const trades = [
      tradeRow({ blockTime: NOW - 1n, amount: MAX, cost: MAX }),
      tradeRow({ amount: 1n, cost: MAX, blockTime: NOW }),
    ];
    const rows = [
      listingRow({
        ...DRAWN,
        maturityAt: 2n ** 64n - 1n,
        tenorDays: 2 ** 32 - 1,
        couponRateBps: 2 ** 32 - 1,
      }),
    ];
    const result = trading({ offers, trades, rows });
    expect(result.bestAskBps).toBe(SAFE);
    expect(result.lastTrade?.priceBps).toBe(SAFE);
    expect(result.volumeTotal).toBe((MAX + 1n).toString());
    expect(result.listings[0]?.remainingDays).toBe(Number((2n ** 64n - 1n - NOW) / DAY));
    const tomorrow = rows.map((row) => ({ ...row, maturityAt: NOW + DAY }));
    expect(one({ rows: tomorrow, offers: [offerRow({ priceBps: 1n })] })?.yieldToMaturityBps).toBe(SAFE);
    // A buyer at that price loses all of it: −10000·365/100.
    expect(one({ offers: [offerRow({ priceBps: MAX })] })?.yieldToMaturityBps).toBe(-36_500);
    // The bound is on what is served: at 2^53 − 1 the payoff of this coupon would still be a gain, and the yield 0.
    expect(one({ rows, offers: [offerRow({ priceBps: MAX })] })?.yieldToMaturityBps).toBe(-1);
    // For nothing there is no yield.
    expect(one({ offers: [offerRow({ priceBps: 0n })] })).toMatchObject({
      bestAskBps: 0,
      yieldToMaturityBps: null,
    });
  });
});
