/** @module The market in figures: amounts open, owed, overdue and lost, and the best offers of the desk. */
import { counted } from "../../../config/format/counted.ts";
import { formatAmount, formatRate } from "../../market/amount.ts";
import { bestOffers, type DeskListing, leftPerToken } from "../../market/desk.ts";
import type { Market } from "../../market/market.ts";
import { OWED_REPAYMENTS, type Stats } from "../../market/schema.ts";

/** The figures of `/v1/stats` and of the desk that answer most questions, with readable amounts. */
export function summaryOfMarket(market: Market) {
  const { stats, trading } = market;
  const { byStatus, outstanding, outstandingByRepayment, writtenOff, refundable, reserves } = stats;
  const { cheapest, highestYield } = bestOffers(trading);
  return {
    openRaises: byStatus.listed + byStatus.funding,
    outstanding,
    outstandingByRepayment,
    writtenOff,
    refundable,
    reserves,
    averageHoursToFund: stats.averageHoursToFund,
    openOffers: trading.openOffers,
    cheapestOffer: cheapest && offerOf(cheapest, market),
    highestYieldOffer: highestYield && offerOf(highestYield, market),
    display: {
      outstanding: formatAmount(outstanding),
      ...sharesOf(outstandingByRepayment),
      writtenOff: formatAmount(writtenOff),
      refundable: formatAmount(refundable),
      reserves: formatAmount(reserves),
    },
  };
}

/** Each part of the debt as people read it, such as "1,000 USD-test (12.50%), 2 raises"; empty parts are left out. */
export function sharesOf(parts: Stats["outstandingByRepayment"]): Record<string, string> {
  const shown = OWED_REPAYMENTS.filter((repayment) => parts[repayment].listings > 0);
  return Object.fromEntries(
    shown.map((repayment) => {
      const { amount, shareBps, listings } = parts[repayment];
      const share = shareBps === null ? "" : ` (${formatRate(shareBps)})`;
      return [repayment, `${formatAmount(amount)}${share}, ${counted(listings, "raises")}`];
    }),
  );
}

/** Price and yield of a raise's best open offer, in figures and as people read them. */
function offerOf(desk: DeskListing, market: Market) {
  const { publicId, refnum } = desk;
  return { publicId, refnum, ...pricesOf(desk, market) };
}

/** A buyer's price, remaining payments and earnings, also in a default, with a sentence. */
export function pricesOf(desk: DeskListing, market: Market) {
  const { bestAskBps, remainingPerTokenBps, yieldToMaturityBps, returnInDefaultBps } = desk;
  return {
    bestAskBps,
    remainingPerTokenBps,
    yieldToMaturityBps,
    returnInDefaultBps,
    display: displayOfOffer(desk, market),
  };
}

export function displayOfOffer(desk: DeskListing, market: Market): string {
  const { publicId, bestAskBps, remainingPerTokenBps, yieldToMaturityBps } = desk;
  if (bestAskBps === null) return "no open offer";
  const price = `${formatRate(bestAskBps)} of par`;
  const listing = market.listingByPublicId.get(publicId);
  const left = listing === undefined ? null : leftPerToken(desk, listing, market.scheduleOf(listing));
  if (yieldToMaturityBps === null || remainingPerTokenBps === null || left === null)
    return `${price}, no yield`;
  const yearly = `${formatRate(yieldToMaturityBps)} a year`;
  if (remainingPerTokenBps >= bestAskBps) return `${price}, yields ${yearly}`;
  const isLeft = `${formatRate(left.bps)} is still to be paid`;
  const setOff = left.isSetOff ? "interest above the schedule set off against the principal owed: " : "";
  return left.bps < bestAskBps
    ? `${price}, a loss for the buyer: only ${isLeft} (${setOff}${yearly})`
    : `${price}, ${isLeft} (${setOff}${yearly})`;
}
