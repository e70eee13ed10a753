/** @module The risks of a raise, in two sentences with the cover of its reserve. */

import { counted } from "../../../config/format/counted.ts";
import { formatAmount, formatRate, shareBps } from "../../market/amount.ts";
import { canLose } from "../../market/projection.ts";
import { acceptedNow, isPastDue } from "../../market/schedule.ts";
import type { Listing } from "../../market/schema.ts";
import { links, linkTo, paragraph, section } from "../blocks.ts";
import type { Section } from "../page.ts";

const COVER = linkTo(
  "What does the reserve cover, and in which order?",
  "/knowledge/refunds-and-reserve#what-does-the-reserve-cover-and-in-which-order",
);

/** Null once nothing can be lost any more. @param hasDesk whether tokens can be sold to others */
export function riskSection(listing: Listing, hasDesk: boolean): Section | null {
  if (!canLose(listing)) return null;
  const sentences = listing.repayment === "not_drawn" ? beforeDrawdown(listing, hasDesk) : whileOwed(listing);
  return section("risks", "What can go wrong", [paragraph(sentences), links([COVER])]);
}

function beforeDrawdown(listing: Listing, hasDesk: boolean): string {
  const exit = hasDesk
    ? "after that you can only get out by selling your tokens, if somebody buys them"
    : "after that there is no way to get out";
  return `You can lose what you lend: if the business repays nothing, ${promisedCover(listing)}. Once the business draws the money it is tied up for ${counted(listing.tenorDays, "days")}, or longer if it pays late; ${exit}.`;
}

function promisedCover({
  reserveBalance,
  insuranceBps,
  targetAmount,
  raisedAmount,
  acceptsMoney,
  couponIsMaximum,
}: Listing): string {
  const held = BigInt(reserveBalance);
  const whole = acceptsMoney
    ? { amount: BigInt(targetAmount), name: "the target" }
    : {
        // An auction accepts no more than its target, whatever is bid.
        amount: couponIsMaximum ? acceptedNow({ raisedAmount, targetAmount }) : BigInt(raisedAmount),
        name: "the loan",
      };
  if (held > 0n) {
    return `only the reserve pays, of which ${formatAmount(held)} is posted: ${formatRate(shareBps(held, whole.amount) ?? 0)} of ${whole.name}`;
  }
  return insuranceBps === 0
    ? "nothing else pays, as this raise has no reserve"
    : `only a reserve of ${formatRate(insuranceBps)} of the target pays, which is not posted yet`;
}

function whileOwed(listing: Listing): string {
  const { reserveBalance, outstandingPrincipal } = listing;
  const [held, owed] = [BigInt(reserveBalance), BigInt(outstandingPrincipal)];
  const cover =
    held === 0n
      ? "and no reserve is held for it"
      : `and the reserve of ${formatAmount(held)} covers ${held >= owed ? "all" : formatRate(shareBps(held, owed) ?? 0)} of it`;
  const next = isPastDue(listing)
    ? "Anything not covered by the business or the reserve is written off at settlement."
    : "If the business does not pay in time, the loan counts as late after 7 days and as a default after 90, and anything not paid by settlement is written off.";
  return `${formatAmount(owed)} of principal is still owed, ${cover}. ${next}`;
}
