/** @module Sentences of several faces: the state of refunds, and the hand-over to a person, as only a person can sign. */
import type { PublicSettings } from "../../config/public-settings.ts";
import { formatAmount, formatRate } from "./amount.ts";
import type { Listing } from "./schema.ts";
import { hasFailed } from "./status.ts";

export const NO_APP = "No app to sign in is configured for this service.";

/** An agent's last step, as the end of a sentence such as "Recommend, and …". */
export function handOver({ appUrl }: Pick<PublicSettings, "appUrl">): string {
  return appUrl === null
    ? "hand over the url of the raise: no app to sign in is configured here, so appUrl is null"
    : "hand over the appUrl of the raise: there the person checks it and signs";
}

/** The rate of a raise, such as "14.50%"; of an open auction "at most 15.00%, 14.90% if it closed now", or short "at most 15.00% (14.90% now)". @param per follows the rate, such as " a year" */
export function rateWords(
  {
    couponRateBps,
    couponIsMaximum,
    indicativeRateBps,
  }: Pick<Listing, "couponRateBps" | "couponIsMaximum" | "indicativeRateBps">,
  { isShort = false, per = "" } = {},
): string {
  const rate = `${formatRate(couponRateBps)}${per}`;
  if (!couponIsMaximum) return rate;
  if (indicativeRateBps === null) return `at most ${rate}`;
  const now = formatRate(indicativeRateBps);
  return isShort ? `at most ${rate} (${now} now)` : `at most ${rate}, ${now} if it closed now`;
}

/** The state of a raise's refunds; null unless it returns money. */
export function refundSentence(
  listing: Pick<
    Listing,
    "status" | "raisedAmount" | "refundedAmount" | "withdrawnAmount" | "refundableAmount" | "appUrl"
  >,
): string | null {
  const { raisedAmount, refundedAmount, withdrawnAmount, refundableAmount, appUrl } = listing;
  if (!hasFailed(listing)) return null;
  if (raisedAmount === "0") {
    return refundedAmount === "0"
      ? "Nobody had subscribed, so there is nothing to claim."
      : "Everything subscribed had been withdrawn before, so there is nothing to claim.";
  }
  const earlier =
    withdrawnAmount === "0"
      ? ""
      : ` Another ${formatAmount(withdrawnAmount)} had been withdrawn or outbid before the close.`;
  if (refundableAmount === "0") {
    return `Fully refunded: backers have all ${formatAmount(raisedAmount)} back.${earlier}`;
  }
  const where = appUrl === null ? "; no app to do so in is configured here" : " in the app";
  return `${formatAmount(refundableAmount, { unit: null })} of ${formatAmount(raisedAmount)} is still to be claimed: backers can claim it at any time${where}.${earlier}`;
}
