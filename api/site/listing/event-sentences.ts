/** @module Events of the ledger in sentences that need no knowledge of contracts. Persons are never named. */

import { counted } from "../../../config/format/counted.ts";
import { isolated } from "../../../config/format/untrusted-text.ts";
import type { EventKind } from "../../../src/fold/vocabulary.ts";
import { type ReadableAmounts, readableAmounts, reasonWords } from "../../ledger/event.ts";
import type { LedgerEvent } from "../../ledger/schema.ts";
import { formatAmount, formatRate } from "../../market/amount.ts";
import { formatTime } from "../times.ts";

/** The sentences of an event, with its amounts. Each total is the contract's own, as of the event. */
export function eventSentences<Kind extends EventKind>(event: LedgerEvent<Kind>): string {
  const sentences: Sentences<Kind> = SENTENCES[event.kind];
  return sentences(event, readableAmounts(event, "tokens"));
}

type Sentences<Kind extends EventKind> = (event: LedgerEvent<Kind>, amounts: ReadableAmounts<Kind>) => string;

const SENTENCES: { [Kind in EventKind]: Sentences<Kind> } = {
  listing_created: (event, amounts) => `The raise was created.${termsSentence(event, amounts)}`,
  listing_terms_updated: (event, amounts) => `The terms were changed.${termsSentence(event, amounts)}`,
  subscribed: ({ bidRateBps }, { amount, totalRaised }) => {
    const done =
      bidRateBps === 0 ? `subscribed ${amount}` : `bid ${amount} at ${formatRate(bidRateBps)} a year`;
    return `A backer ${done}.${total("Running total:", totalRaised)}`;
  },
  refunded: ({ reason }, { amount, totalRefunded }) => {
    const refund =
      reason === "withdrawn"
        ? `A backer withdrew ${amount} before the close.`
        : `A backer got ${amount} back${reason === null ? "" : ` ${why(REFUND_REASONS, reason)}`}.`;
    return `${refund}${total("Refunded and withdrawn so far:", totalRefunded)}`;
  },
  reserve_changed: ({ reason }, { amount, reserveBalance }) =>
    `${reserveSentence(reason, amount)}${total("Reserve now:", reserveBalance)}`,
  listing_closed: ({ reason, couponRateBps, minRaiseMet }, { raisedAmount }) => {
    const committed = raisedAmount === undefined ? "" : `, with ${raisedAmount} committed`;
    const rate = couponRateBps === null ? "" : ` at ${formatRate(couponRateBps)} interest a year`;
    const minimum = minRaiseMet === null ? "" : ` The minimum was ${minRaiseMet ? "met" : "not met"}.`;
    return `The raise closed ${why(CLOSE_REASONS, reason)}${committed}${rate}.${minimum}`;
  },
  drawn_down: ({ maturityAt }, { amount, fee }) =>
    `The business drew down ${amount}; ${fee} of it was kept as a fee. It now owes ${amount}${maturityAt === null ? "" : `, due on ${formatTime(maturityAt)}`}.`,
  repaid: (event, amounts) => {
    const { outstandingPrincipal: owed } = event;
    const after =
      owed === null
        ? ""
        : ` ${owed === "0" ? "No principal is owed any more." : `Principal still owed: ${bare(amounts.outstandingPrincipal)}.`}`;
    return `${repaidSentence(event, amounts)}${after}`;
  },
  payout_claimed: (_, { amount, totalClaimed }) =>
    `A holder collected ${amount}.${total("Collected so far:", totalClaimed)}`,
  listing_settled: ({ outcome, writtenOffPrincipal: writtenOff }, amounts) => {
    const how = outcome === null ? "" : `: ${OUTCOMES[outcome] ?? `the outcome is one ${notNamed(outcome)}`}`;
    const lost =
      writtenOff === null
        ? ""
        : ` ${writtenOff === "0" ? "No" : `${amounts.writtenOffPrincipal} of`} principal was written off.`;
    return `The raise was settled${how}.${lost}`;
  },
  listing_cancelled: ({ reason }) => `The raise was called off before its close${quoted(reason)}.`,
  listing_voided: ({ reason }) => `The raise was voided after it closed${quoted(reason)}.`,
  unmapped: ({ logName }) =>
    `The contract emitted ${logName}, which could not be interpreted. No figure counts it.`,
  offer_created: ({ priceBps, expiresAt }, { amount }) =>
    `${amount} were put up for sale at ${formatRate(priceBps)} of par, until ${formatTime(expiresAt)}.`,
  offer_filled: (event, { amount, cost, remaining }) =>
    `${amount} were bought for ${cost}.${remaining === undefined ? "" : ` ${event.remaining === "0" ? "Nothing was" : `${remaining} were`} left for sale.`}`,
  offer_cancelled: (_, { remaining }) =>
    `An offer was withdrawn${remaining === undefined ? "" : ` with ${remaining} left of it`}.`,
};

function quoted(reason: string | null): string {
  const words = reasonWords(reason);
  return words === null ? "" : `, with the reason “${isolated(words)}”`;
}

/** A sentence about a total, where the contract gives it. */
function total(words: string, amount: string | undefined): string {
  return amount === undefined ? "" : ` ${words} ${bare(amount)}.`;
}

/** The amount without its unit, which the sentence before has. */
function bare(amount: string | undefined): string {
  return (amount ?? "").replace(/ .*/, "");
}

/** The terms that the event tells. If it tells all but the closing time, the raise has none. */
function termsSentence(
  terms: LedgerEvent<"listing_created" | "listing_terms_updated">,
  { targetAmount, minRaise }: ReadableAmounts<"listing_terms_updated">,
): string {
  const { couponRateBps, tenorDays, pricingMode, goLiveAt, closeAt, insuranceBps } = terms;
  const atMost = pricingMode === "auction" ? "at most " : "";
  const term = tenorDays === null ? null : `for ${counted(tenorDays, "days")}`;
  const interest = couponRateBps === null ? null : `${atMost}${formatRate(couponRateBps)} interest a year`;
  const others = [targetAmount, minRaise, interest, term, pricingMode, goLiveAt, insuranceBps];
  const closing = others.every((one) => one != null) ? "no closing time" : null;
  const parts = [
    targetAmount === undefined ? null : `target ${targetAmount}`,
    minRaise === undefined ? null : `minimum ${minRaise}`,
    interest === null || term === null ? (interest ?? term) : `${interest} ${term}`,
    insuranceBps === null ? null : `a reserve of ${formatRate(insuranceBps)} of the target`,
    closeAt === null ? closing : `closing on ${formatTime(closeAt)}`,
  ];
  const text = parts.filter((part) => part !== null).join(", ");
  return text === "" ? "" : ` ${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function repaidSentence(
  event: LedgerEvent<"repaid">,
  { principal, interest }: ReadableAmounts<"repaid">,
): string {
  // Not told apart: paid in one amount.
  if (event.principal === null || event.interest === null)
    return `${event.paidAmount ? formatAmount(event.paidAmount) : "An amount"} was repaid.`;
  if (event.principal === "0" && event.interest !== "0") return `${interest} of interest was repaid.`;
  if (event.interest === "0") return `${principal} of principal was repaid.`;
  return `${principal} of principal and ${interest} of interest were repaid.`;
}

type Phrases = Readonly<Record<string, string>>;

const REFUND_REASONS: Phrases = {
  outbid: "because the auction did not accept it",
  min_not_met: "because the raise closed below its minimum",
  cancelled: "because the raise was called off",
  voided: "because the raise was voided",
};

const CLOSE_REASONS: Phrases = {
  filled: "when its target was reached",
  deadline: "when its closing time was reached",
  manual: "because the operator closed it",
};

const OUTCOMES: Phrases = {
  repaid: "it was repaid",
  repaid_with_reserve: "it was repaid, a part of it from the reserve",
  defaulted: "it defaulted",
};

const RESERVE_CHANGES: Phrases = {
  posted: "was added to the reserve",
  applied: "of the reserve was used to pay principal",
  released: "of the reserve was given back",
};

/** Values without a name in the contracts' interface are shown as in the ledger: `unknown_<number>`. */
const notNamed = (word: string) => `that the contracts' interface does not name (${word})`;

function why(known: Phrases, reason: string): string {
  return known[reason] ?? `for a reason ${notNamed(reason)}`;
}

function reserveSentence(reason: string, amount: string): string {
  const change = RESERVE_CHANGES[reason];
  if (change !== undefined) return `${amount} ${change}.`;
  return `The reserve changed by ${amount}, ${why(RESERVE_CHANGES, reason)}.`;
}
