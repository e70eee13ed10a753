/**
 * The events of the escrow and of the desk, from logs to the form that the fold reads: enums named, addresses in
 * lowercase.
 * @module
 */
import type { DecodeEventLogReturnType, Hex } from "viem";
import type { listingEscrowEventsAbi } from "../../abis/ListingEscrowEvents.ts";
import type { secondaryDeskEventsAbi } from "../../abis/SecondaryDeskEvents.ts";
import {
  CLOSE_REASONS,
  type CloseReason,
  nameOf,
  OUTCOMES,
  type Outcome,
  PRICING_MODES,
  type PricingMode,
  REFUND_REASONS,
  RESERVE_REASONS,
  type RefundReason,
  type ReserveReason,
} from "./vocabulary.ts";

/** The terms of a raise. Base units, basis points, days, unix seconds; `closeAt` is null when there is none. */
export type Terms = {
  targetAmount: bigint;
  minRaise: bigint;
  couponRateBps: number;
  insuranceBps: number;
  tenorDays: number;
  pricingMode: PricingMode;
  goLiveAt: bigint;
  closeAt: bigint | null;
};

/** A block of the chain; `timestamp` in unix seconds. */
export type Block = { number: bigint; timestamp: bigint };

type Address = Hex;

/** The arguments of each kind of event. */
type ArgsByKind = {
  listing_created: { originator: Address; token: Address; refnum: string; terms: Terms; metadataHash: Hex };
  listing_terms_updated: { terms: Terms; metadataHash: Hex };
  subscribed: { backer: Address; payer: Address; amount: bigint; bidRateBps: number; totalRaised: bigint };
  refunded: { backer: Address; reason: RefundReason; amount: bigint; totalRefunded: bigint };
  reserve_changed: { reason: ReserveReason; account: Address; amount: bigint; reserveBalance: bigint };
  listing_closed: { reason: CloseReason; raisedAmount: bigint; minRaiseMet: boolean; couponRateBps: number };
  drawn_down: { to: Address; amount: bigint; fee: bigint; maturityAt: bigint };
  repaid: { payer: Address; principal: bigint; interest: bigint; outstandingPrincipal: bigint };
  payout_claimed: { holder: Address; amount: bigint; totalClaimed: bigint };
  listing_settled: { outcome: Outcome; writtenOffPrincipal: bigint };
  listing_cancelled: { reason: Hex };
  listing_voided: { reason: Hex };
};
export type ListingEventKind = keyof ArgsByKind;
export type ArgsOf<Kind extends ListingEventKind> = ArgsByKind[Kind];

/** An event of one listing: its kind and its arguments. */
export type ListingEvent<Kind extends ListingEventKind = ListingEventKind> = {
  [K in Kind]: { kind: K; args: ArgsByKind[K] };
}[Kind];

/** The place of an event on the chain. `eventId` sorts like the chain and survives a re-index. */
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

/** An event with its place. Events are ordered by block number and log index, never by time alone. */
export type LocatedEvent<Kind extends ListingEventKind = ListingEventKind> = {
  [K in Kind]: { kind: K; args: ArgsByKind[K]; at: Provenance };
}[Kind];

/** A log of the escrow as viem decodes it. */
export type EscrowLog = DecodeEventLogReturnType<typeof listingEscrowEventsAbi>;

/** A log of the desk as viem decodes it. */
export type DeskLog = DecodeEventLogReturnType<typeof secondaryDeskEventsAbi>;

type DeskArgsOf<Name extends DeskLog["eventName"]> = Extract<DeskLog, { eventName: Name }>["args"] & {
  desk: Hex;
};

/** An event of a desk: its kind and its arguments. Base units, basis points of par, unix seconds. */
export type DeskEvent =
  | { kind: "offer_created"; args: DeskArgsOf<"OfferCreated"> }
  | { kind: "offer_filled"; args: DeskArgsOf<"OfferFilled"> }
  | { kind: "offer_cancelled"; args: DeskArgsOf<"OfferCancelled"> };

/** A desk event with its place; `at` names the listing of the offered token. */
export type LocatedDeskEvent = DeskEvent & { at: Provenance };

/** The event of a log of the escrow. Enum numbers that the interface does not define become `unknown_<number>`. */
export function toListingEvent(log: EscrowLog): ListingEvent {
  switch (log.eventName) {
    case "ListingCreated": {
      const { originator, token, refnum, terms, metadataHash } = log.args;
      const parties = { originator: lower(originator), token: lower(token), refnum: storable(refnum) };
      return { kind: "listing_created", args: { ...parties, terms: toTerms(terms), metadataHash } };
    }
    case "ListingTermsUpdated": {
      const { terms, metadataHash } = log.args;
      return { kind: "listing_terms_updated", args: { terms: toTerms(terms), metadataHash } };
    }
    case "Subscribed": {
      const { onchainId, backer, payer, ...args } = log.args;
      return { kind: "subscribed", args: { backer: lower(backer), payer: lower(payer), ...args } };
    }
    case "Refunded": {
      const { onchainId, backer, reason, ...args } = log.args;
      const named = nameOf(REFUND_REASONS, reason);
      return { kind: "refunded", args: { backer: lower(backer), reason: named, ...args } };
    }
    case "ReserveChanged": {
      const { onchainId, reason, account, ...args } = log.args;
      const named = nameOf(RESERVE_REASONS, reason);
      return { kind: "reserve_changed", args: { reason: named, account: lower(account), ...args } };
    }
    case "ListingClosed": {
      const { onchainId, reason, ...args } = log.args;
      return { kind: "listing_closed", args: { reason: nameOf(CLOSE_REASONS, reason), ...args } };
    }
    case "DrawnDown": {
      const { onchainId, to, ...args } = log.args;
      return { kind: "drawn_down", args: { to: lower(to), ...args } };
    }
    case "Repaid": {
      const { onchainId, payer, ...args } = log.args;
      return { kind: "repaid", args: { payer: lower(payer), ...args } };
    }
    case "PayoutClaimed": {
      const { onchainId, holder, ...args } = log.args;
      return { kind: "payout_claimed", args: { holder: lower(holder), ...args } };
    }
    case "ListingSettled": {
      const { outcome, writtenOffPrincipal } = log.args;
      return { kind: "listing_settled", args: { outcome: nameOf(OUTCOMES, outcome), writtenOffPrincipal } };
    }
    case "ListingCancelled":
      return { kind: "listing_cancelled", args: { reason: log.args.reason } };
    case "ListingVoided":
      return { kind: "listing_voided", args: { reason: log.args.reason } };
  }
}

/** The event of a log of the desk at this address. */
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

/** PostgreSQL rejects NUL in text, and an event that cannot be saved would stop the indexer. */
function storable(text: string): string {
  return text.replaceAll("\0", "\ufffd");
}
