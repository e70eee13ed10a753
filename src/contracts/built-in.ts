/**
 * The contracts that the project ships (`chain.md`), as a module like any other.
 * @module
 */
import type { DecodeEventLogReturnType } from "viem";
import { escrowFactoryEventsAbi } from "../../abis/EscrowFactoryEvents.ts";
import { listingEscrowEventsAbi } from "../../abis/ListingEscrowEvents.ts";
import { secondaryDeskEventsAbi } from "../../abis/SecondaryDeskEvents.ts";
import {
  CLOSE_REASONS,
  nameOf,
  OUTCOMES,
  PRICING_MODES,
  REFUND_REASONS,
  RESERVE_REASONS,
} from "../fold/vocabulary.ts";
import type { ContractsModule, MarketTerms } from "./module.ts";

type Terms = DecodeEventLogReturnType<typeof listingEscrowEventsAbi, "ListingCreated">["args"]["terms"];

const toTerms = (terms: Terms): MarketTerms => ({
  ...terms,
  pricingMode: nameOf(PRICING_MODES, terms.pricingMode),
});

export const BUILT_IN: ContractsModule = {
  name: "Raisebook",
  escrow: {
    abi: listingEscrowEventsAbi,
    token: { event: "ListingCreated", parameter: "token", claims: true },
    numbered: true,
    dollar: "function dollar() view returns (address)",
    views: {
      raisedAmount: { function: "function raisedAmount(uint256 onchainId) view returns (uint256)" },
      refundedAmount: { function: "function refundedAmount(uint256 onchainId) view returns (uint256)" },
      reserveBalance: { function: "function reserveBalance(uint256 onchainId) view returns (uint256)" },
      outstandingPrincipal: {
        function: "function outstandingPrincipal(uint256 onchainId) view returns (uint256)",
      },
      // Not in the interface of the views: only the reference escrow has it.
      claimedAmount: {
        function: "function claimedAmount(uint256 onchainId) view returns (uint256)",
        optional: true,
      },
      requiredBalance: { function: "function requiredBalance() view returns (uint256)" },
    },
    events: {
      ListingCreated: ({ args: { originator, token, refnum, terms, metadataHash } }) => ({
        kind: "listing_created",
        ...{ originator, token, refnum, metadataHash },
        terms: toTerms(terms),
      }),
      ListingTermsUpdated: ({ args: { terms, metadataHash } }) => ({
        kind: "listing_terms_updated",
        terms: toTerms(terms),
        metadataHash,
      }),
      Subscribed: ({ args: { backer, payer, amount, bidRateBps, totalRaised } }) => ({
        kind: "subscribed",
        ...{ backer, payer, amount, bidRateBps, totalRaised },
      }),
      Refunded: ({ args: { backer, reason, amount, totalRefunded } }) => ({
        kind: "refunded",
        ...{ backer, amount, totalRefunded },
        reason: nameOf(REFUND_REASONS, reason),
      }),
      ReserveChanged: ({ args: { reason, account, amount, reserveBalance } }) => ({
        kind: "reserve_changed",
        ...{ account, amount, reserveBalance },
        reason: nameOf(RESERVE_REASONS, reason),
      }),
      ListingClosed: ({ args: { reason, raisedAmount, minRaiseMet, couponRateBps } }) => ({
        kind: "listing_closed",
        reason: nameOf(CLOSE_REASONS, reason),
        ...{ raisedAmount, minRaiseMet, couponRateBps },
      }),
      DrawnDown: ({ args: { to, amount, fee, maturityAt } }) => ({
        kind: "drawn_down",
        ...{ to, amount, fee, maturityAt },
      }),
      Repaid: ({ args: { payer, principal, interest, outstandingPrincipal } }) => ({
        kind: "repaid",
        ...{ payer, principal, interest, outstandingPrincipal },
      }),
      PayoutClaimed: ({ args: { holder, amount, totalClaimed } }) => ({
        kind: "payout_claimed",
        ...{ holder, amount, totalClaimed },
      }),
      ListingSettled: ({ args: { outcome, writtenOffPrincipal } }) => ({
        kind: "listing_settled",
        outcome: nameOf(OUTCOMES, outcome),
        writtenOffPrincipal,
      }),
      ListingCancelled: ({ args: { reason } }) => ({ kind: "listing_cancelled", reason }),
      ListingVoided: ({ args: { reason } }) => ({ kind: "listing_voided", reason }),
    },
  },
  factory: { event: escrowFactoryEventsAbi[0], escrow: "escrow" },
  desk: {
    abi: secondaryDeskEventsAbi,
    events: {
      OfferCreated: ({ args: { offerId, token, seller, amount, priceBps, expiresAt } }) => ({
        kind: "offer_created",
        ...{ offerId, token, seller, amount, priceBps, expiresAt },
      }),
      OfferFilled: ({ args: { offerId, token, buyer, amount, cost, remaining } }) => ({
        kind: "offer_filled",
        ...{ offerId, token, buyer, amount, cost, remaining },
      }),
      OfferCancelled: ({ args: { offerId, remaining } }) => ({
        kind: "offer_cancelled",
        ...{ offerId, remaining },
      }),
    },
  },
};
