/** @module The bids of an auction on a listing's page: by rate, without the backers. */
import { formatRate } from "../../market/amount.ts";
import { type BidBook, type BidEvent, bidBook, tellsRates } from "../../market/bids.ts";
import type { Listing } from "../../market/schema.ts";
import { clearingWords } from "../../market/sentences.ts";
import { hasFailed } from "../../market/status.ts";
import { links, linkTo, paragraph, section } from "../blocks.ts";
import { bidsByRate, MOST_RATES } from "../charts/bids-by-rate.tsx";
import type { Section } from "../page.ts";

const RULES = linkTo("How an auction works", "/knowledge/how-raises-work#fixed-price-or-auction");

type Auction = Pick<
  Listing,
  | "refnum"
  | "status"
  | "targetAmount"
  | "minRaise"
  | "raisedAmount"
  | "couponRateBps"
  | "acceptsMoney"
  | "couponIsMaximum"
>;

/** @param events up to the head, oldest first; null when there are too many */
export function auctionSection(listing: Auction, events: readonly BidEvent[] | null): Section {
  if (events === null || !tellsRates(events)) {
    const why =
      events === null
        ? "This auction has too many bids to add them up here. The history lists each of them."
        : "The contract of this auction does not tell the rates of its bids.";
    return section("bids", "Bids by rate", [paragraph(why), links([RULES])]);
  }
  const book = bidBook({
    events,
    target: BigInt(listing.targetAmount),
    hasFailed: hasFailed(listing),
    most: MOST_RATES,
  });
  const clearingBps = clearingBpsOf(listing, book);
  return section("bids", "Bids by rate", [
    paragraph(introduction(listing, book.isClosed, clearingBps)),
    { kind: "chart", chart: bidsByRate({ id: "bids-by-rate", listing, book, clearingBps }) },
    links([RULES]),
  ]);
}

/** Null where no bid is accepted, and after a close that no event told: there the terms have the rate. */
function clearingBpsOf(
  { couponRateBps, acceptsMoney, couponIsMaximum }: Auction,
  { isClosed, marginalBps }: Pick<BidBook, "isClosed" | "marginalBps">,
): number | null {
  if (marginalBps === null) return null;
  if (isClosed) return couponRateBps;
  return acceptsMoney || couponIsMaximum ? marginalBps : null;
}

function introduction(listing: Auction, isClosed: boolean, clearingBps: number | null): string {
  if (isClosed && listing.status === "voided")
    return "The raise was voided after the auction closed, so no bid counts any more, and all money goes back.";
  if (hasFailed(listing)) return "The raise failed, so no bid was accepted, and all money goes back.";
  const rule =
    "Each backer bids a rate of interest. The cheapest bids are accepted until the target is full, and all of them earn the highest accepted rate.";
  if (clearingBps === null) return rule;
  if (isClosed) return `${rule} This auction closed at ${formatRate(clearingBps)} per year.`;
  if (!listing.acceptsMoney) {
    return `${rule} Its closing time has come, and the rate will be ${formatRate(clearingBps)} per year ${clearingWords(listing)}.`;
  }
  return BigInt(listing.raisedAmount) < BigInt(listing.minRaise)
    ? `${rule} If it closed now, the minimum would be missed and every bid refunded.`
    : `${rule} If it closed now, the rate would be ${formatRate(clearingBps)} per year.`;
}
