import fc from "fast-check";
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
import type { Published } from "./listing.ts";
import { type Trading, tradingSchema } from "./trading-schema.ts";

const { escrowAddress: ESCROW } = listingRow();
const THIRD = `0x${"0c".repeat(20)}` as const;
const UINT256 = 2n ** 256n - 1n;
const UINT64 = 2n ** 64n - 1n;
const UINT32 = 2 ** 32 - 1;

/** A market of every kind of listing that a desk can know; 9 and the old 2 are not visible. */
const MARKET: readonly ListingRow[] = [
  listingRow({ ...DRAWN, goLiveAt: NOW - 300n * DAY, closedCouponRateBps: 1212, pricingMode: "auction" }),
  listingRow({
    ...DRAWN,
    escrowAddress: OLD_ESCROW,
    goLiveAt: NOW - 100n * DAY,
    maturityAt: NOW + 2n * DAY - 1n,
  }),
  listingRow({ ...DRAWN, onchainId: 2n, goLiveAt: NOW - 200n * DAY, maturityAt: NOW - DAY }),
  listingRow({
    ...DRAWN,
    onchainId: 3n,
    terminalKind: "settled",
    terminalAt: NOW,
    writtenOffPrincipal: 0n,
    goLiveAt: NOW - 150n * DAY,
  }),
  // Live, its money not drawn yet.
  listingRow({ ...DRAWN, onchainId: 4n, drawnDownAt: null, drawnAmount: null, maturityAt: null }),
  listingRow({ onchainId: 5n }),
];

const pair = fc.constantFrom(
  ...MARKET.map(({ escrowAddress, onchainId }) => ({ escrowAddress, onchainId })),
  { escrowAddress: ESCROW, onchainId: 9n },
  { escrowAddress: OLD_ESCROW, onchainId: 2n },
);
const person = fc.constantFrom(SELLER, BUYER, THIRD);
const offers: fc.Arbitrary<OfferRow[]> = fc.array(
  fc
    .record({
      pair,
      remaining: fc.constantFrom(0n, 1n, 7n, 3_333n, DOLLAR),
      priceBps: fc.constantFrom(1n, 9_501n, 10_000n, 20_001n),
      expiresAt: fc.constantFrom(NOW - 1n, NOW, NOW + 1n, NOW + DAY),
      cancelledAt: fc.option(fc.constant(NOW - 5n), { freq: 4 }),
    })
    .map(({ pair, ...rest }) => offerRow({ ...pair, ...rest })),
  { maxLength: 30 },
);
const trades: fc.Arbitrary<TradeRow[]> = fc
  .array(
    fc
      .record({
        pair,
        seller: person,
        buyer: person,
        amount: fc.constantFrom(1n, 3n, 10n, DOLLAR),
        cost: fc.constantFrom(0n, 1n, 5n, 2_000n, DOLLAR),
        blockTime: fc
          .constantFrom(0n, 1n, DAY - 1n, DAY, 29n * DAY, 30n * DAY - 1n, 30n * DAY, 31n * DAY)
          .map((ago) => NOW - ago),
      })
      .map(({ pair, ...rest }) => tradeRow({ ...pair, ...rest })),
    { maxLength: 30 },
  )
  .map(inOrderOfTheChain);

function inOrderOfTheChain(rows: TradeRow[]): TradeRow[] {
  return rows
    .toSorted((a, b) => (a.blockTime < b.blockTime ? -1 : Number(a.blockTime > b.blockTime)))
    .map((row, index) => ({
      ...row,
      eventId: index.toString().padStart(75, "0"),
      txHash: `0x${index.toString(16).padStart(64, "0")}`,
    }));
}

/** Another number for each listing, so that one in the wrong place shows. */
const holderCount = ({ escrowAddress, onchainId }: ListingRow) =>
  onchainId === 4n ? null : Number(onchainId) * 10 + (escrowAddress === OLD_ESCROW ? 1 : 0);
const tradingOf = (
  published: readonly Published[],
  offers: readonly OfferRow[],
  trades: readonly TradeRow[],
) => tradingAt({ desk: { address: DESK, offers, trades }, published, holderCount, now: NOW });

const sum = (amounts: readonly bigint[]) => {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
};
/** The largest whole number that is not above the quotient; `b` above zero. */
const floor = (a: bigint, b: bigint) => (a - (((a % b) + b) % b)) / b;

/** The description of `trading` word by word: each figure looks at every row for itself. */
function described(
  published: readonly Published[],
  offers: readonly OfferRow[],
  trades: readonly TradeRow[],
): Trading {
  const isOf = (row: ListingRow) => (one: OfferRow | TradeRow) =>
    one.escrowAddress === row.escrowAddress && one.onchainId === row.onchainId;
  const visible = (one: OfferRow | TradeRow) => published.find(({ row }) => isOf(row)(one));
  const open = offers.filter(
    (offer) =>
      visible(offer)?.listing.status === "live" &&
      offer.cancelledAt === null &&
      offer.remaining !== 0n &&
      offer.expiresAt > NOW,
  );
  const between = trades.filter((trade) => visible(trade) && trade.seller !== trade.buyer);
  const since = (seconds: bigint) => between.filter(({ blockTime }) => NOW - blockTime < seconds);
  const [day, month] = [since(DAY), since(30n * DAY)];
  const volume = (of: readonly TradeRow[]) => sum(of.map(({ amount }) => amount));
  const price = (of: readonly TradeRow[]) =>
    of.length === 0
      ? null
      : Math.min(
          Number(floor(10_000n * sum(of.map(({ cost }) => cost)), volume(of))),
          Number.MAX_SAFE_INTEGER,
        );
  const lowest = (of: readonly OfferRow[]) =>
    of.length === 0 ? null : Math.min(...of.map(({ priceBps }) => Number(priceBps)));
  const last = between.at(-1);
  const whose = last && visible(last)?.listing;
  return {
    enabled: true,
    deskAddress: DESK,
    openOffers: open.length,
    openAmount: `${sum(open.map(({ remaining }) => remaining))}`,
    openNotional: `${sum(open.map(({ remaining, priceBps }) => -floor(-remaining * priceBps, 10_000n)))}`,
    bestAskBps: lowest(open),
    trades24h: day.length,
    trades30d: month.length,
    tradesTotal: between.length,
    volume24h: `${volume(day)}`,
    volume30d: `${volume(month)}`,
    volumeTotal: `${volume(between)}`,
    selfTrades: trades.filter((trade) => visible(trade) && trade.seller === trade.buyer).length,
    vwap30dBps: price(month),
    sellers30d: new Set(month.map(({ seller }) => seller)).size,
    buyers30d: new Set(month.map(({ buyer }) => buyer)).size,
    lastTrade:
      last && whose
        ? {
            publicId: whose.publicId,
            refnum: whose.refnum,
            priceBps: price([last]) ?? Number.NaN,
            amount: `${last.amount}`,
            cost: `${last.cost}`,
            at: new Date(Number(last.blockTime) * 1000).toISOString().replace(".000", ""),
            txHash: last.txHash,
          }
        : null,
    listings: published
      .filter(({ row }) =>
        row.terminalKind === null
          ? row.drawnDownAt !== null || [...offers, ...trades].some(isOf(row))
          : month.some(isOf(row)),
      )
      .map(({ row, listing }) => {
        const own = { open: open.filter(isOf(row)), between: between.filter(isOf(row)) };
        const repaying = row.maturityAt !== null && row.terminalKind === null;
        const left = row.maturityAt !== null && row.maturityAt > NOW ? floor(row.maturityAt - NOW, DAY) : 0n;
        const ask = lowest(own.open);
        const interest = floor(
          (row.drawnAmount ?? 0n) * BigInt(listing.couponRateBps * listing.tenorDays),
          3_650_000n,
        );
        const unpaid = (row.drawnAmount ?? 0n) + interest - row.repaidPrincipal - row.repaidInterest;
        const covered =
          row.reserveBalance < row.outstandingPrincipal ? row.reserveBalance : row.outstandingPrincipal;
        const reserve = repaying && row.drawnAmount ? floor(covered * 10_000n, row.drawnAmount) : null;
        const perToken = repaying && row.drawnAmount ? floor(unpaid * 10_000n, row.drawnAmount) : null;
        return {
          publicId: listing.publicId,
          refnum: listing.refnum,
          openOffers: own.open.length,
          openAmount: `${sum(own.open.map(({ remaining }) => remaining))}`,
          bestAskBps: ask,
          lastPriceBps: price(own.between.slice(-1)),
          volume30d: `${volume(month.filter(isOf(row)))}`,
          tradesTotal: own.between.length,
          holderCount: holderCount(row),
          remainingDays: repaying ? Number(left) : null,
          remainingPerTokenBps: perToken === null ? null : Number(perToken),
          yieldToMaturityBps:
            ask === null || perToken === null || left === 0n
              ? null
              : Number(floor((floor(perToken * 10_000n, BigInt(ask)) - 10_000n) * 365n, left)),
          reservePerTokenBps: reserve === null ? null : Number(reserve),
          returnInDefaultBps:
            ask === null || reserve === null ? null : Number(floor(reserve * 10_000n, BigInt(ask)) - 10_000n),
        };
      }),
  };
}

describe("on any desk", () => {
  const published = publishedOf(...MARKET);

  it("every figure is what its description says", () => {
    const ids = published.map(({ listing }) => listing.publicId);
    expect(ids).toEqual(["lst_5", "lst_1_old", "lst_4", "lst_3", "lst_2", "lst_1"]);
    const property = fc.property(offers, trades, (offers, trades) => {
      expect(tradingOf(published, offers, trades)).toEqual(described(published, offers, trades));
    });
    fc.assert(property, { numRuns: 500 });
  });
});

it("any figures that a chain can write are shown", () => {
  const uint256 = fc.oneof(fc.constantFrom(0n, 1n, UINT256), fc.bigInt(0n, UINT256));
  const time = fc.oneof(fc.constantFrom(0n, NOW, NOW + DAY, UINT64), fc.bigInt(0n, UINT64));
  const uint32 = fc.oneof(fc.constantFrom(0, 1, UINT32), fc.integer({ min: 0, max: UINT32 }));
  const row = fc
    .record({ maturityAt: fc.option(time), couponRateBps: uint32, tenorDays: uint32 })
    .map((terms) => listingRow({ ...DRAWN, ...terms }));
  const offer = fc.record({ remaining: uint256, priceBps: uint256, expiresAt: time }).map(offerRow);
  const trade = fc
    .record({ amount: uint256.filter((amount) => amount > 0n), cost: uint256, blockTime: time })
    .map(tradeRow);
  const property = fc.property(
    row,
    fc.array(offer, { maxLength: 4 }),
    fc.array(trade, { maxLength: 4 }).map(inOrderOfTheChain),
    (row, offers, trades) => {
      const result = tradingOf(publishedOf(row), offers, trades);
      expect(tradingSchema.safeParse(result).error).toBeUndefined();
      expect(result.volumeTotal).toBe(`${sum(trades.map(({ amount }) => amount))}`);
    },
  );
  fc.assert(property, { numRuns: 300 });
});
