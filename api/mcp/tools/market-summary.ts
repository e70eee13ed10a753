/** @module The market in figures: amounts open, owed, overdue and lost, and the best offers of the desk. */
import { counted } from "../../../config/format/counted.ts";
import { formatAmount, formatRate } from "../../market/amount.ts";
import { bestOffers, type DeskListing } from "../../market/desk.ts";
import type { Market } from "../../market/market.ts";
import { OWED_REPAYMENTS, type Stats } from "../../market/schema.ts";

/** The figures of `/v1/stats` and of the desk that answer most questions, with readable amounts. */
export function summaryOfMarket({ stats, trading }: Market) {
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
    cheapestOffer: cheapest && offerOf(cheapest),
    highestYieldOffer: highestYield && offerOf(highestYield),
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
function offerOf(desk: DeskListing) {
  const { publicId, refnum } = desk;
  return { publicId, refnum, ...pricesOf(desk) };
}

/** What a buyer pays, still receives and earns, and in a default, with a sentence. */
export function pricesOf(desk: DeskListing) {
  const { bestAskBps, remainingPerTokenBps, yieldToMaturityBps, returnInDefaultBps } = desk;
  return {
    bestAskBps,
    remainingPerTokenBps,
    yieldToMaturityBps,
    returnInDefaultBps,
    display: displayOfOffer(desk),
  };
}

export function displayOfOffer({
  bestAskBps,
  remainingPerTokenBps,
  yieldToMaturityBps,
}: Omit<DeskListing, "publicId">): string {
  if (bestAskBps === null) return "no open offer";
  const price = `${formatRate(bestAskBps)} of par`;
  if (yieldToMaturityBps === null || remainingPerTokenBps === null) return `${price}, no yield`;
  const yearly = `${formatRate(yieldToMaturityBps)} a year`;
  return remainingPerTokenBps < bestAskBps
    ? `${price}, a loss for the buyer: only ${formatRate(Math.max(0, remainingPerTokenBps))} is still to be paid (${yearly})`
    : `${price}, yields ${yearly}`;
}
