/**
 * The events of the escrow and of the desk in the form that the fold reads: what the chain said, with its enums named.
 * @module
 */
import type { DecodeEventLogReturnType, Hex } from "viem";
import type { listingEscrowEventsAbi } from "../../abis/ListingEscrowEvents.ts";
import type { secondaryDeskEventsAbi } from "../../abis/SecondaryDeskEvents.ts";
import type { ArgsOf, EventOf, Terms } from "./event-kinds.ts";
import {
  CLOSE_REASONS,
  type DESK_EVENT_KINDS,
  type EventKind,
  nameOf,
  OUTCOMES,
  PRICING_MODES,
  REFUND_REASONS,
  RESERVE_REASONS,
} from "./vocabulary.ts";

export type { ArgsOf, Terms } from "./event-kinds.ts";

/** A block of the chain; `timestamp` in unix seconds. */
export type Block = { number: bigint; timestamp: bigint };

type Address = Hex;

export type ListingEventKind = Exclude<EventKind, (typeof DESK_EVENT_KINDS)[number]>;

/** An event of one listing: its kind and its arguments. */
export type ListingEvent<Kind extends ListingEventKind = ListingEventKind> = EventOf<Kind>;

/** Where an event stands on the chain. `eventId` sorts like the chain and is stable over a re-index. */
export type Provenance = {
  escrowAddress: Address;
  onchainId: bigint;
  eventId: string;
  blockNumber: bigint;
  /** unix seconds */
  blockTime: bigint;
  txHash: Hex;
  logIndex: number;
};

/** An event with its place. Order is that of block number and log index, never of time alone. */
export type LocatedEvent<Kind extends ListingEventKind = ListingEventKind> = {
  [One in Kind]: { kind: One; args: ArgsOf<One>; at: Provenance };
}[Kind];

/** A log of the escrow as viem decodes it. */
export type EscrowLog = DecodeEventLogReturnType<typeof listingEscrowEventsAbi>;

/** A log of the desk as viem decodes it. */
export type DeskLog = DecodeEventLogReturnType<typeof secondaryDeskEventsAbi>;

/** An event of a desk: its kind and its arguments. Base units, basis points of par, unix seconds. */
export type DeskEvent = EventOf<(typeof DESK_EVENT_KINDS)[number]>;

/** A desk event in its place; `at` names the listing whose token it concerns. */
export type LocatedDeskEvent = DeskEvent & { at: Provenance };

/** Names what a log says. Enum numbers that the interface does not have become `unknown_<number>`. */
export function toListingEvent(log: EscrowLog): ListingEvent {
  switch (log.eventName) {
    case "ListingCreated": {
      const { originator, token, refnum, terms, metadataHash } = log.args;
      return {
        kind: "listing_created",
        args: {
          originator: lower(originator),
          token: lower(token),
          refnum: storable(refnum),
          terms: toTerms(terms),
          metadataHash,
        },
      };
    }
    case "ListingTermsUpdated":
      return {
        kind: "listing_terms_updated",
        args: { terms: toTerms(log.args.terms), metadataHash: log.args.metadataHash },
      };
    case "Subscribed": {
      const { backer, payer, amount, bidRateBps, totalRaised } = log.args;
      return {
        kind: "subscribed",
        args: { backer: lower(backer), payer: lower(payer), amount, bidRateBps, totalRaised },
      };
    }
    case "Refunded": {
      const { backer, reason, amount, totalRefunded } = log.args;
      const named = nameOf(REFUND_REASONS, reason);
      return { kind: "refunded", args: { backer: lower(backer), reason: named, amount, totalRefunded } };
    }
    case "ReserveChanged": {
      const { reason, account, amount, reserveBalance } = log.args;
      const named = nameOf(RESERVE_REASONS, reason);
      return {
        kind: "reserve_changed",
        args: { reason: named, account: lower(account), amount, reserveBalance },
      };
    }
    case "ListingClosed": {
      const { reason, raisedAmount, minRaiseMet, couponRateBps } = log.args;
      const named = nameOf(CLOSE_REASONS, reason);
      return { kind: "listing_closed", args: { reason: named, raisedAmount, minRaiseMet, couponRateBps } };
    }
    case "DrawnDown": {
      const { to, amount, fee, maturityAt } = log.args;
      return { kind: "drawn_down", args: { to: lower(to), amount, fee, maturityAt } };
    }
    case "Repaid": {
      const { payer, principal, interest, outstandingPrincipal } = log.args;
      return { kind: "repaid", args: { payer: lower(payer), principal, interest, outstandingPrincipal } };
    }
    case "PayoutClaimed": {
      const { holder, amount, totalClaimed } = log.args;
      return { kind: "payout_claimed", args: { holder: lower(holder), amount, totalClaimed } };
    }
    case "ListingSettled": {
      const { outcome, writtenOffPrincipal } = log.args;
      return {
        kind: "listing_settled",
        args: { outcome: nameOf(OUTCOMES, outcome), writtenOffPrincipal },
      };
    }
    case "ListingCancelled":
      return { kind: "listing_cancelled", args: { reason: log.args.reason } };
    case "ListingVoided":
      return { kind: "listing_voided", args: { reason: log.args.reason } };
  }
}

/** Names what a log of the desk at this address says. */
export function toDeskEvent(log: DeskLog, desk: Hex): DeskEvent {
  switch (log.eventName) {
    case "OfferCreated": {
      const { token, seller, ...args } = log.args;
      return { kind: "offer_created", args: { ...args, token: lower(token), seller: lower(seller), desk } };
    }
    case "OfferFilled": {
      const { token, buyer, ...args } = log.args;
      return { kind: "offer_filled", args: { ...args, token: lower(token), buyer: lower(buyer), desk } };
    }
    case "OfferCancelled":
      return { kind: "offer_cancelled", args: { ...log.args, desk } };
  }
}

function toTerms(terms: Extract<EscrowLog, { eventName: "ListingCreated" }>["args"]["terms"]): Terms {
  return {
    ...terms,
    pricingMode: nameOf(PRICING_MODES, terms.pricingMode),
    closeAt: terms.closeAt === 0n ? null : terms.closeAt,
  };
}

/** Addresses are compared and shown in lowercase. */
export function lower(address: Address): Address {
  return address.toLowerCase() as Address;
}

/** PostgreSQL cannot keep a NUL in text, and an event that cannot be kept would stop the indexer. */
function storable(text: string): string {
  return text.replaceAll("\0", "\ufffd");
}
