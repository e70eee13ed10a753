/** The figures of the market on random histories, against the independent model. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Listing } from "../../api/market/schema.ts";
import type { DeskTrade } from "../../api/market/trading.ts";
import { doneOf } from "../../api/site/standing.ts";
import { predictionOf, snapshotOfTold, toldMarket } from "../harness/told-market.ts";
import { type ChainLog, those } from "../model/chain-log.ts";
import { differences } from "../model/differences.ts";
import type { ExpectedListing } from "../model/listing.ts";

/** For histories that no escrow writes, the model has no start of a status. */
const timeless = <Listing extends { statusSince: unknown }>({ statusSince: _, ...rest }: Listing) => rest;

const priced = ({ at, priceBps, yieldToMaturityBps }: DeskTrade) => ({ at, priceBps, yieldToMaturityBps });

const progress = (listing: Listing) => {
  const { part, whole, of } = doneOf(listing);
  return [listing.publicId, of, part, whole];
};

/** One quantity: principal repaid of principal lent, money returned of money committed, or money committed of the target. */
function expectedProgress(listing: ExpectedListing) {
  const { publicId, status, raisedAmount, drawnAmount, outstandingPrincipal, writtenOffAmount } = listing;
  const least = (amount: bigint) => `${amount > 0n ? amount : 0n}`;
  if ((status === "live" || status === "matured") && listing.repayment !== "not_drawn") {
    const missing = BigInt(outstandingPrincipal) + BigInt(writtenOffAmount);
    return [publicId, "principal", least(BigInt(drawnAmount) - missing), drawnAmount];
  }
  if (["refunding", "voided", "cancelled"].includes(status) && raisedAmount !== "0") {
    const returned = [listing.returnedAmount, raisedAmount].map(BigInt);
    const [back = 0n, all = 0n] = returned;
    return [publicId, "commitments", `${back < all ? back : all}`, raisedAmount];
  }
  return [publicId, "target", raisedAmount, listing.targetAmount];
}

/** Whether each raise is drawn at most once, with money, and owes no more than that, as with every contract: else its record is no loan's. */
function areLoans(logs: readonly ChainLog[]): boolean {
  const keyOf = ({ escrow, args }: ChainLog) => `${escrow}/${args.onchainId}`;
  const drawn = those(logs, "DrawnDown");
  const lent = new Map(drawn.map((log) => [keyOf(log), log.args.amount]));
  return (
    lent.size === drawn.length &&
    drawn.every(({ args }) => args.amount > 0n) &&
    those(logs, "Repaid").every((log) => log.args.outstandingPrincipal <= (lent.get(keyOf(log)) ?? 0n))
  );
}

/** The situations in the histories: without them nothing would be proven. */
const seen = {
  ...{ yields: 0, losses: 0, tradeYields: 0, indicativeRates: 0, withdrawn: 0, returned: 0, lent: 0 },
  ...{ projected: 0, refundable: 0, moved: 0, toFund: 0, covered: 0, late: 0 },
};

it("is what the model makes of the same logs", async () => {
  const property = fc.asyncProperty(toldMarket(), async (told) => {
    const { listings, originators, stats, schedules, trades } = predictionOf(told);
    const { market } = await snapshotOfTold(told);
    const isRated = areLoans(told.logs);
    const expected = {
      listings: listings.listings.map(timeless),
      trading: listings.trading,
      ratings: isRated && originators.originators.map(({ rating }) => rating),
      stats,
      schedules,
      trades,
    };
    const shown = {
      listings: market.listings.map(timeless),
      trading: market.trading,
      ratings: isRated && market.originators.map(({ rating }) => rating),
      stats: market.stats,
      schedules: Object.fromEntries(
        market.listings.map((listing) => [listing.publicId, market.scheduleOf(listing)]),
      ),
      trades: Object.fromEntries(
        market.listings.map((listing) => [listing.publicId, market.tradesOf(listing).map(priced)]),
      ),
    };
    expect(differences(expected, shown)).toEqual([]);
    expect(market.listings.map(progress)).toEqual(listings.listings.map(expectedProgress));
    const yields = market.trading.listings.flatMap(({ yieldToMaturityBps }) => yieldToMaturityBps ?? []);
    seen.yields += yields.length;
    seen.losses += yields.filter((bps) => bps < 0).length;
    seen.tradeYields += Object.values(trades)
      .flat()
      .filter((one) => one.yieldToMaturityBps !== null).length;
    if (market.stats.averageHoursToFund !== null) seen.toFund += 1;
    seen.covered += market.trading.listings.filter(({ reservePerTokenBps }) => reservePerTokenBps).length;
    seen.late += market.originators.filter(({ rating }) => rating.byDaysLate.over90 > 0).length;
    for (const listing of market.listings) {
      const { withdrawnAmount, returnedAmount, drawnAmount } = listing;
      if (listing.projectedAmount !== null) seen.projected += 1;
      if (listing.refundableAmount !== "0") seen.refundable += 1;
      if (listing.termsUpdates > 0) seen.moved += 1;
      if (withdrawnAmount !== "0") seen.withdrawn += 1;
      if (returnedAmount !== "0") seen.returned += 1;
      if (drawnAmount !== "0") seen.lent += 1;
    }
    seen.indicativeRates += market.listings.filter((one) => one.indicativeRateBps !== null).length;
  });
  await fc.assert(property, { numRuns: 400 });
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(5);
});
