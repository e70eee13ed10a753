/**
 * The events of the escrow and of the desk, from logs to the form that the fold reads: enums named, addresses in
 * lowercase.
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

/** A block of the chain; `timestamp` in unix seconds. */
export type Block = { number: bigint; timestamp: bigint };

type Address = Hex;

export type ListingEventKind = Exclude<EventKind, (typeof DESK_EVENT_KINDS)[number]>;

/** An event of one listing: its kind and its arguments. */
export type ListingEvent<Kind extends ListingEventKind = ListingEventKind> = EventOf<Kind>;

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
  [One in Kind]: { kind: One; args: ArgsOf<One>; at: Provenance };
}[Kind];

/** A log of the escrow as viem decodes it. */
export type EscrowLog = DecodeEventLogReturnType<typeof listingEscrowEventsAbi>;

/** A log of the desk as viem decodes it. */
export type DeskLog = DecodeEventLogReturnType<typeof secondaryDeskEventsAbi>;

/** A transfer of a token; `value` in base units. */
export type Transfer = { from: Address; to: Address; value: bigint };

/** The place of a log on the chain, before the raise is known. `eventId` as in `Provenance`. */
export type LogOrigin = Omit<Provenance, "escrowAddress" | "onchainId"> & {
  address: Address;
  blockHash: Hex;
};

/** A decoded log, by the contract that emitted it. */
export type EventContent =
  | { source: "escrow"; log: EscrowLog }
  | { source: "desk"; log: DeskLog }
  | { source: "token"; transfer: Transfer };

/** A decoded log with its place. */
export type ChainEvent = LogOrigin & EventContent;

/** An event of a desk: its kind and its arguments. Base units, basis points of par, unix seconds. */
export type DeskEvent = EventOf<(typeof DESK_EVENT_KINDS)[number]>;

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
