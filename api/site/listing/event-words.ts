/**
 * An event of the ledger in a sentence that needs no knowledge of contracts. Persons are never named.
 * @module
 */
import type { LedgerEvent } from "../../ledger/schema.ts";
import { formatAmount, formatRate } from "../../market/amount.ts";
import { formatTime } from "../times.ts";
import { counted } from "../value.ts";

const dollars = (baseUnits: string) => formatAmount(baseUnits);
const tokens = (baseUnits: string) => formatAmount(baseUnits, "tokens");

/** What happened, with the amounts of the event. Each total is the contract's own, as of the event. */
export function wordsOf(event: LedgerEvent): string {
  switch (event.kind) {
    case "listing_created":
      return `The raise was created. ${termsWords(event)}`;
    case "listing_terms_updated":
      return `The terms were changed. ${termsWords(event)}`;
    case "subscribed": {
      const bid = event.bidRateBps === 0 ? "" : `, asking for ${formatRate(event.bidRateBps)} a year`;
      return `A backer subscribed ${dollars(event.amount)}${bid}. In all, ${dollars(event.totalRaised)} was committed then.`;
    }
    case "refunded":
      return `A backer got ${dollars(event.amount)} back ${why(REFUND_REASONS, event.reason)}. In all, ${dollars(event.totalRefunded)} was refunded by then.`;
    case "reserve_changed":
      return `${reserveWords(event.reason, dollars(event.amount))} It then held ${dollars(event.reserveBalance)}.`;
    case "listing_closed":
      return `The raise closed ${why(CLOSE_REASONS, event.reason)}, with ${dollars(event.raisedAmount)} committed at a coupon of ${formatRate(event.couponRateBps)} a year. By the contract's count the minimum was ${event.minRaiseMet ? "met" : "not met"}.`;
    case "drawn_down":
      return `The money was drawn: ${dollars(event.amount)} of principal is owed from here on, of which ${dollars(event.fee)} was kept as a fee. It is due on ${formatTime(event.maturityAt)}.`;
    case "repaid":
      return `${dollars(event.principal)} of principal and ${dollars(event.interest)} of interest were repaid. ${dollars(event.outstandingPrincipal)} of principal was still owed.`;
    case "payout_claimed":
      return `A token holder claimed ${dollars(event.amount)} of the repayments. In all, ${dollars(event.totalClaimed)} was claimed by then.`;
    case "listing_settled":
      return `The raise was settled: ${OUTCOMES[event.outcome] ?? unknownWord("the outcome", event.outcome)}. ${dollars(event.writtenOffPrincipal)} of principal was written off.`;
    case "listing_cancelled":
      return "The raise was called off before its close.";
    case "listing_voided":
      return "The raise was undone after its close.";
    case "offer_created":
      return `${tokens(event.amount)} were put on offer at ${formatRate(event.priceBps)} of par, until ${formatTime(event.expiresAt)}.`;
    case "offer_filled":
      return `${tokens(event.amount)} were bought for ${dollars(event.cost)}. ${event.remaining === "0" ? "Nothing was" : `${tokens(event.remaining)} were`} left on offer.`;
    case "offer_cancelled":
      return `An offer was withdrawn with ${tokens(event.remaining)} left of it.`;
  }
}

type Terms = Pick<
  Extract<LedgerEvent, { kind: "listing_terms_updated" }>,
  "targetAmount" | "minRaise" | "couponRateBps" | "tenorDays" | "pricingMode" | "closeAt" | "insuranceBps"
>;

function termsWords(terms: Terms): string {
  const { targetAmount, minRaise, couponRateBps, tenorDays, pricingMode, closeAt, insuranceBps } = terms;
  const coupon = `a coupon of ${pricingMode === "auction" ? "at most " : ""}${formatRate(couponRateBps)} a year`;
  const close = closeAt === null ? "no closing time" : `closing on ${formatTime(closeAt)}`;
  return `Target ${dollars(targetAmount)}, minimum ${dollars(minRaise)}, ${coupon} for ${counted(tenorDays, "days")}, a reserve of ${formatRate(insuranceBps)} of the target, ${close}.`;
}

type Words = Readonly<Record<string, string>>;

const REFUND_REASONS: Words = {
  withdrawn: "by withdrawing before the close",
  outbid: "because cheaper bids won the auction",
  min_not_met: "because the raise closed below its minimum",
  cancelled: "because the raise was called off",
  voided: "because the raise was undone",
};

const CLOSE_REASONS: Words = {
  filled: "because its target was reached",
  deadline: "because its closing time came",
  manual: "because the operator closed it",
};

const OUTCOMES: Words = {
  repaid: "it was repaid",
  repaid_with_reserve: "it was repaid, a part of it from the reserve",
  defaulted: "it defaulted",
};

/** A number that the interface of the contracts does not have is said as the ledger keeps it: `unknown_<number>`. */
function unknownWord(what: string, word: string): string {
  return `${what} is one that the contracts' interface does not name (${word})`;
}

function why(known: Words, reason: string): string {
  return known[reason] ?? `for a reason that the contracts' interface does not name (${reason})`;
}

function reserveWords(reason: string, amount: string): string {
  switch (reason) {
    case "posted":
      return `${amount} was put into the reserve.`;
    case "applied":
      return `${amount} of the reserve was used to pay principal.`;
    case "released":
      return `${amount} of the reserve was given back.`;
    default:
      return `The reserve changed by ${amount}, ${why({}, reason)}.`;
  }
}
