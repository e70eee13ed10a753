/** The figures of the market on random histories, against the independent model. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { DeskTrade } from "../../api/market/trading.ts";
import { predictionOf, snapshotOfTold, toldMarket } from "../harness/told-market.ts";
import { differences } from "../model/differences.ts";

/** Of histories that no escrow writes, the model does not say since when a status holds. */
const timeless = <Listing extends { statusSince: unknown }>({ statusSince: _, ...rest }: Listing) => rest;

const priced = ({ at, priceBps, yieldToMaturityBps }: DeskTrade) => ({ at, priceBps, yieldToMaturityBps });

/** What the histories had: without it nothing would be proven. */
const seen = { yields: 0, losses: 0, tradeYields: 0, indicativeRates: 0, withdrawn: 0, returned: 0, lent: 0 };

it("is what the model makes of the same logs", async () => {
  const property = fc.asyncProperty(toldMarket(), async (told) => {
    const { listings, stats, schedules, trades } = predictionOf(told);
    const { market } = await snapshotOfTold(told);
    const expected = {
      listings: listings.listings.map(timeless),
      trading: listings.trading,
      stats,
      schedules,
      trades,
    };
    const shown = {
      listings: market.listings.map(timeless),
      trading: market.trading,
      stats: market.stats,
      schedules: Object.fromEntries(
        market.listings.map((listing) => [listing.publicId, market.scheduleOf(listing)]),
      ),
      trades: Object.fromEntries(
        market.listings.map((listing) => [listing.publicId, market.tradesOf(listing).map(priced)]),
      ),
    };
    expect(differences(expected, shown)).toEqual([]);
    const yields = market.trading.listings.flatMap(({ yieldToMaturityBps }) => yieldToMaturityBps ?? []);
    seen.yields += yields.length;
    seen.losses += yields.filter((bps) => bps < 0).length;
    seen.tradeYields += Object.values(trades)
      .flat()
      .filter((one) => one.yieldToMaturityBps !== null).length;
    for (const { withdrawnAmount, returnedAmount, drawnAmount } of market.listings) {
      if (withdrawnAmount !== "0") seen.withdrawn += 1;
      if (returnedAmount !== "0") seen.returned += 1;
      if (drawnAmount !== "0") seen.lent += 1;
    }
    seen.indicativeRates += market.listings.filter((one) => one.indicativeRateBps !== null).length;
  });
  await fc.assert(property, { numRuns: 300 });
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(5);
});
