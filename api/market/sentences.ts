/** @module Sentences of several faces: the state of refunds, and the hand-over to a person, as only a person can sign. */
import type { PublicSettings } from "../../config/public-settings.ts";
import type { FollowedContracts } from "../../src/contracts/describe.ts";
import { formatAmount, formatRate } from "./amount.ts";
import type { Originator } from "./originator.ts";
import { isPastDue, owesInterestAlone } from "./schedule.ts";
import type { Listing, Rating } from "./schema.ts";
import { hasFailed } from "./status.ts";

export const NO_APP = "No app to sign in is configured for this service.";

/** An agent's last step, as the end of a sentence such as "Recommend, and …". */
export function handOver({ appUrl }: Pick<PublicSettings, "appUrl">): string {
  return appUrl === null
    ? "hand over the url of the raise: no app to sign in is configured here, so appUrl is null"
    : "hand over the appUrl of the raise: there the person checks it and signs";
}

/** A reason to check a raise before sending money: in a few words for a mark, and as a sentence. */
export type Warning = { mark: string; sentence: string };

const NOT_VERIFIED: Record<Exclude<Originator["kybStatus"], "approved">, string> = {
  not_started: "The operator has not started to check who this business is.",
  submitted: "The operator has not checked yet who this business is: its documents wait for a review.",
  in_review: "The operator has not confirmed yet who this business is: its documents are under review.",
  rejected: "The operator could not confirm who this business is.",
  expired: "The operator's check of this business is out of date.",
};

type Confirmed = Pick<
  Listing,
  "originatorVerified" | "originatorOnChain" | "metadataVerified" | "metadataOnChain"
>;

/** Whether the chain has another creator than an address of the business. */
export function isOfStranger({ originatorOnChain, originatorVerified }: Confirmed): boolean {
  return originatorOnChain && !originatorVerified;
}

/** Whether the chain has the fingerprint of another text. */
export function isOtherText({ metadataOnChain, metadataVerified }: Confirmed): boolean {
  return metadataOnChain && !metadataVerified;
}

/** For a raise whose creator only the registry names. The pages show it next to the state, without a mark. */
export const CREATOR_NOT_TOLD: Warning = {
  mark: "Creator not on the chain",
  sentence:
    "The chain does not say who created this raise: only the operator's registry gives it to this business. Check with the business before you send money.",
};

/** The same of terms that the registry alone has. */
export const TERMS_NOT_TOLD: Warning = {
  mark: "Terms not on the chain",
  sentence:
    "The contract does not give all terms of this raise, such as its target, interest or term: they come from the operator's registry alone, and so does what follows from them, such as the due date.",
};

/** The warnings of a raise for the tools, which show nothing else that says it. */
export function toolWarningsOf(
  listing: Confirmed & Pick<Listing, "termsFrom">,
  business: Pick<Originator, "kybStatus">,
): Warning[] {
  return [
    ...(listing.originatorOnChain ? [] : [CREATOR_NOT_TOLD]),
    ...(listing.termsFrom === "chain" ? [] : [TERMS_NOT_TOLD]),
    ...warningsOf(listing, business),
  ];
}

/**
 * The warnings of a raise, the gravest first. A text or creator that contracts do not tell, so that the registry alone has them, is
 * no contradiction: the pages say so where they show them.
 */
export function warningsOf(listing: Confirmed, { kybStatus }: Pick<Originator, "kybStatus">): Warning[] {
  const warnings: (Warning | null)[] = [
    isOfStranger(listing)
      ? {
          mark: "Creator not confirmed",
          sentence:
            "We could not confirm that this business created this raise: it was not created from an address that this business has published. Check with the business before you send money.",
        }
      : null,
    isOtherText(listing)
      ? {
          mark: "Text not confirmed",
          sentence:
            "Title and description differ from the text that the raise was created with: they may have been changed since.",
        }
      : null,
    notVerified({ kybStatus }),
  ];
  return warnings.filter((warning) => warning !== null);
}

/** The same of a business: of itself, and of its raises together. */
export function businessWarningsOf({
  kybStatus,
  listings,
}: Pick<Originator, "kybStatus" | "listings">): Warning[] {
  const warnings: (Warning | null)[] = [
    listings.find(isOfStranger)
      ? {
          mark: "Creator not confirmed",
          sentence:
            "At least one raise was created from an address that this business has not published: it may belong to someone else.",
        }
      : null,
    listings.find(isOtherText)
      ? {
          mark: "Text not confirmed",
          sentence: "The text of at least one raise differs from the one that it was created with.",
        }
      : null,
    notVerified({ kybStatus }),
  ];
  return warnings.filter((warning) => warning !== null);
}

function notVerified({ kybStatus }: Pick<Originator, "kybStatus">): Warning | null {
  return kybStatus === "approved"
    ? null
    : { mark: "Business not verified", sentence: NOT_VERIFIED[kybStatus] };
}

/** When an auction that is not cleared has the rate of its bids: after its closing time they stay as they are, and only the close is missing. */
export function clearingWords({ acceptsMoney }: Pick<Listing, "acceptsMoney">): string {
  return acceptsMoney ? "if it closed now" : "once its close is recorded";
}

/** The same in a word, before the rate. */
export function clearingWord({ acceptsMoney }: Pick<Listing, "acceptsMoney">): string {
  return acceptsMoney ? "now" : "will be";
}

/** The rate of a raise, such as "14.50%"; of an open auction "at most 15.00%, 14.90% if it closed now", or short "at most 15.00% (now 14.90%)". @param per follows the rate, such as " a year" */
export function rateWords(
  listing: Pick<Listing, "acceptsMoney" | "couponRateBps" | "couponIsMaximum" | "indicativeRateBps">,
  { isShort = false, per = "" } = {},
): string {
  const { couponRateBps, couponIsMaximum, indicativeRateBps } = listing;
  const rate = `${formatRate(couponRateBps)}${per}`;
  if (!couponIsMaximum) return rate;
  if (indicativeRateBps === null) return `at most ${rate}`;
  const now = formatRate(indicativeRateBps);
  return isShort
    ? `at most ${rate} (${clearingWord(listing)} ${now})`
    : `at most ${rate}, ${now} ${clearingWords(listing)}`;
}

/** How late the raises of a business were repaid, such as "4 on time, 1 up to 7 days late"; kinds without a raise are left out. */
export function daysLateWords({
  onTime,
  upTo7,
  upTo30,
  upTo90,
  over90,
  writtenOff,
}: Rating["byDaysLate"]): string {
  const parts: [number, string][] = [
    [onTime, "on time"],
    [upTo7, "up to 7 days late"],
    [upTo30, "up to 30 days late"],
    [upTo90, "up to 90 days late"],
    [over90, "more than 90 days late"],
    [writtenOff, "with a loss"],
  ];
  const shown = parts.filter(([raises]) => raises > 0).map(([raises, words]) => `${raises} ${words}`);
  return shown.length === 0 ? "no raise was due yet" : shown.join(", ");
}

/** The known facts of the close of a raise. */
export type Closing = {
  contracts: Pick<FollowedContracts, "isModule" | "lifecycle">;
  isCloseRecorded: boolean;
};

/** Whether the contract may still keep the raise open, although its closing time has come. */
export function awaitsClose({ contracts, isCloseRecorded }: Closing): boolean {
  return !isCloseRecorded && !contracts.lifecycle.derivesClose;
}

/** Whether a failed raise may keep its refunds until its close is recorded; the project's own escrow needs no record for one. */
export function keepsRefunds({ status }: Pick<Listing, "status">, closing: Closing): boolean {
  return status === "refunding" && awaitsClose(closing) && closing.contracts.isModule;
}

/** Why a raise that is late by its date has no days overdue; null for any other. */
export function paidOffSentence(listing: Listing): string | null {
  if (!isPastDue(listing) || listing.outstandingPrincipal !== "0") return null;
  return owesInterestAlone(listing)
    ? "Past its due date: no principal is owed any more, but interest still is."
    : "Past its due date, but no principal is owed any more: the raise waits to be settled.";
}

/** The state of a raise's refunds; null unless it returns money. */
export function refundSentence(
  listing: Pick<
    Listing,
    "status" | "raisedAmount" | "refundedAmount" | "withdrawnAmount" | "refundableAmount" | "appUrl"
  >,
  closing: Closing,
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
  if (keepsRefunds(listing, closing))
    return `Backers can claim ${formatAmount(refundableAmount)} once the close of the raise is recorded.${earlier}`;
  const where = appUrl === null ? "; no app to do so in is configured here" : " in the app";
  return `${formatAmount(refundableAmount, { unit: null })} of ${formatAmount(raisedAmount)} is still to be claimed: backers can claim it at any time${where}.${earlier}`;
}
