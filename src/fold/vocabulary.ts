/**
 * The words that tables, fold and answers share. Names are in snake_case, as they appear in JSON; the order of
 * each enum is that of the Solidity enum in `contracts/IListingEscrow.sol`.
 * @module
 */
export const PRICING_MODES = ["fixed", "auction"] as const;
export const CLOSE_REASONS = ["filled", "deadline", "manual"] as const;
export const REFUND_REASONS = ["withdrawn", "outbid", "min_not_met", "cancelled", "voided"] as const;
export const RESERVE_REASONS = ["posted", "applied", "released"] as const;
export const OUTCOMES = ["repaid", "repaid_with_reserve", "defaulted"] as const;

/** A number outside the enum: on the chain it can be any byte. */
type Unknown = `unknown_${number}`;
export type PricingMode = (typeof PRICING_MODES)[number] | Unknown;
export type CloseReason = (typeof CLOSE_REASONS)[number] | Unknown;
export type RefundReason = (typeof REFUND_REASONS)[number] | Unknown;
export type ReserveReason = (typeof RESERVE_REASONS)[number] | Unknown;
export type Outcome = (typeof OUTCOMES)[number] | Unknown;

/** The name of an enum's number, in the order of the Solidity enum. */
export function nameOf<Name extends string>(names: readonly Name[], value: number): Name | Unknown {
  return names[value] ?? `unknown_${value}`;
}

/** The events that end a raise; the first one latches. */
export type TerminalKind = "settled" | "cancelled" | "voided";

const ESCROW_EVENT_KINDS = [
  "listing_created",
  "listing_terms_updated",
  "subscribed",
  "refunded",
  "reserve_changed",
  "listing_closed",
  "drawn_down",
  "repaid",
  "payout_claimed",
  "listing_settled",
  "listing_cancelled",
  "listing_voided",
  "unmapped",
] as const;
export const DESK_EVENT_KINDS = ["offer_created", "offer_filled", "offer_cancelled"] as const;
/** Every kind of ledger row: the escrow's events, then the desk's. */
export const EVENT_KINDS = [...ESCROW_EVENT_KINDS, ...DESK_EVENT_KINDS] as const;
export type EventKind = (typeof EVENT_KINDS)[number];
/** The source of an anomaly: an event of the ledger, or a token's transfer, which has no ledger row. */
export type AnomalySource = EventKind | "transfer";

export const ANOMALY_KINDS = [
  "unknown_listing",
  "total_mismatch",
  "refund_exceeds_principal",
  "zero_amount",
  "subscribed_after_close",
  "terms_after_close",
  "repaid_before_drawdown",
  "second_terminal",
  "second_close",
  "second_created",
  "second_drawdown",
  "token_reused",
  "bad_refnum",
  "unmapped_event",
] as const;
export type AnomalyKind = (typeof ANOMALY_KINDS)[number];

/** One figure that does not add up: the expected value and the chain's. Decimal strings or text. */
export type Difference = { field: string; expected: string; found: string };

/**
 * Tables that change together. `listings`: with every event of an escrow; `repayments`; `desk`: offers and trades;
 * `holders`: with every transfer of a followed token; `anomalies`.
 */
export type TableFamily = "listings" | "repayments" | "desk" | "holders" | "anomalies";
