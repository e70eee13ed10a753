/** @module The claims on the secondary desk. */
import { expect } from "vitest";
import { TRADING_DISABLED } from "../../api/market/trading.ts";
import { type Trading, tradingSchema } from "../../api/market/trading-schema.ts";
import { chargeOf } from "../../api/market/yield.ts";
import type { ListingRow, OfferRow, TradeRow } from "../../src/fold/state.ts";
import { publishedOf, tradingAt } from "../harness/published.ts";
import { DAY, DESK, DOLLAR, DRAWN, listingRow, NOW, offerRow, tradeRow } from "../harness/rows.ts";
import { type Claim, section } from "./knowledge-claims.ts";

const DESK_CONTRACT = "test/contracts/desk.test.ts";

function trading(
  offers: OfferRow[] = [],
  trades: TradeRow[] = [],
  change: Partial<ListingRow> = {},
): Trading {
  const published = publishedOf(listingRow({ ...DRAWN, ...change }));
  return tradingAt({ desk: { address: DESK, offers, trades }, published, holderCount: () => null, now: NOW });
}
const openOf = (offer: Partial<OfferRow>, change: Partial<ListingRow> = {}) =>
  trading([offerRow(offer)], [], change).openOffers;
const desk = (anchor: string, claims: Parameters<typeof section>[2]) =>
  section("secondary-desk", anchor, claims);

const DESK_CLAIMS = [
  desk("", [
    [
      "On the desk holders sell tokens of a raise to others.",
      [`${DESK_CONTRACT} › moves tokens and dollars, in parts, and rounds the price up`],
    ],
  ]),
  desk("can-i-sell-before-maturity", [
    [
      "before it tokens are locked",
      [
        `${DESK_CONTRACT} › is not possible before the drawdown`,
        "test/contracts/payouts.test.ts › is locked between a successful close and the drawdown, by allowance too",
      ],
    ],
    [
      "A seller makes an offer: an amount, a fixed price, an expiry.",
      [`${DESK_CONTRACT} › needs an amount, a price, a future, a token, a balance and an allowance`],
    ],
    [
      "Buyers take all or a part of it until then.",
      [
        `${DESK_CONTRACT} › moves tokens and dollars, in parts, and rounds the price up`,
        `${DESK_CONTRACT} › ends at the expiry, to the second`,
      ],
    ],
    ["There are only sell offers, no buy orders.", ["contracts/SecondaryDesk.sol#createOffer"]],
    [
      "The desk never holds tokens: until a sale the seller keeps them, and keeps what is repaid meanwhile.",
      [
        `${DESK_CONTRACT} › announces the offer and leaves the tokens with the seller`,
        `${DESK_CONTRACT} › leaves earlier repayments with the seller and passes on later ones`,
      ],
    ],
  ]),
  desk("prices", [
    ["The seller sets the price, a percentage of principal", ["contracts/SecondaryDesk.sol#createOffer"]],
    [
      "The desk takes no fee.",
      [`${DESK_CONTRACT} › moves tokens and dollars, in parts, and rounds the price up`],
    ],
    ["Nobody has to buy, so you may have to ask less.", "definition"],
    [
      "95% means 0.95 dollars for a token of one dollar",
      () => expect(chargeOf(DOLLAR, 9_500n)).toBe((95n * DOLLAR) / 100n),
    ],
  ]),
  desk("for-developers", [
    [
      "`trading` in `/v1/listings` sums the desk up.",
      ["api/rest/market.test.ts › shows the desk's final keys while no desk is followed"],
    ],
    [
      "amount × price / 10000, rounded up",
      () => expect([chargeOf(3n, 9_500n), chargeOf(20n, 9_500n)]).toEqual([3n, 19n]),
    ],
  ]),
  desk("what-trading-says", [
    [
      "Open offers, trades, the average price by volume",
      () => {
        const keys =
          "openOffers openAmount trades24h trades30d tradesTotal volume24h volume30d volumeTotal listings";
        expect(Object.keys(tradingSchema.shape)).toEqual(expect.arrayContaining(keys.split(" ")));
      },
    ],
    [
      "(`vwap30dBps`)",
      ["api/market/trading.test.ts › give the average price by volume, the last price, and who took part"],
    ],
    [
      "`selfTrades`, in which seller and buyer are one, count nowhere else.",
      () => {
        const { seller } = offerRow();
        expect(trading([], [tradeRow({ buyer: seller })])).toMatchObject({
          selfTrades: 1,
          tradesTotal: 0,
          volumeTotal: "0",
          lastTrade: null,
        });
      },
    ],
    [
      "An offer stays open until it is sold out, cancelled or expired, while its raise is `live`.",
      () => {
        expect([
          openOf({}),
          openOf({ remaining: 0n }),
          openOf({ cancelledAt: NOW }),
          openOf({ expiresAt: NOW }),
        ]).toEqual([1, 0, 0, 0]);
        expect(openOf({}, { terminalKind: "settled" })).toBe(0);
      },
    ],
    ["Without a desk `enabled` is false.", () => expect(TRADING_DISABLED.enabled).toBe(false)],
  ]),
  desk("yield-to-maturity", [
    [
      "What a buyer at the lowest price would earn a year (simple) from what is still to be paid.",
      ["api/market/trading.ts#deskEntryOf"],
    ],
    [
      "Below zero the buyer loses money.",
      () => {
        const half = { repaidPrincipal: 40_000n * 10n ** 18n };
        expect(trading([offerRow()], [], half).listings[0]?.yieldToMaturityBps).toBeLessThan(0);
      },
    ],
  ]),
  desk("for-developers", [
    [
      "remainingPerToken = (total due − paid) × 10000 / principal yield = (remainingPerToken × 10000 / price − 10000) × 365 / remainingDays",
      ["api/market/yield.test.ts › are what the formulas give in exact fractions, each division a floor"],
    ],
    [
      "Each division is rounded down.",
      ["api/market/yield.test.ts › are rounded down, charges up, as the desk does"],
    ],
    [
      "It is null without an offer, before the drawdown, and from the last day on.",
      () => {
        const yieldOf = (offers: OfferRow[], change: Partial<ListingRow>) =>
          trading(offers, [], change).listings[0]?.yieldToMaturityBps;
        const undrawn = { drawnDownAt: null, drawnAmount: null, maturityAt: null };
        const none = [yieldOf([], {}), yieldOf([offerRow()], undrawn)];
        const due = [NOW + DAY - 1n, NOW, NOW - 20n * DAY];
        const late = due.map((maturityAt) => yieldOf([offerRow()], { maturityAt }));
        expect([...none, ...late]).toEqual([null, null, null, null, null]);
        expect(yieldOf([offerRow()], { maturityAt: NOW + DAY })).not.toBeNull();
      },
    ],
  ]),
  desk("for-developers", []),
];

export const CLAIMS_ON_THE_DESK: readonly Claim[] = DESK_CLAIMS.flat();
