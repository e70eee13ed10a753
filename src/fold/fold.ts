/**
 * The fold: takes one event of a listing and the state before it, and returns the changes.
 *
 * Pure and total: it reads no clock and no table, and no event makes it throw. An inconsistency becomes an anomaly
 * in addition to the ledger row. Ponder's handlers save the result; a replay of the ledger calls the same function.
 */
import type { Hex } from "viem";
import { AnomalyLog } from "./anomalies.ts";
import type { ListingEventKind, LocatedEvent } from "./events.ts";
import { type Before, type Change, freeze, type Handler } from "./handler.ts";
import { toLedgerArgs } from "./ledger.ts";
import {
  cancel,
  close,
  create,
  drawDown,
  keepUnmapped,
  settle,
  updateTerms,
  voidRaise,
} from "./lifecycle.ts";
import { changeReserve, claimPayout, reasonOf, refund, repay, splitOf, subscribe } from "./money.ts";
import { closingTimePassed, minimumMet, outstandingPrincipal } from "./rules.ts";
import {
  type AnomalyRow,
  EMPTY_POSITION,
  type LedgerRow,
  type ListingPatch,
  type ListingRow,
  type MoneyDeltas,
  type PositionAmounts,
  type RefundRow,
  type RepaymentRow,
  type SubscriptionRow,
  stubListing,
  type TokenRow,
} from "./state.ts";

const HANDLERS: { [Kind in ListingEventKind]: Handler<Kind> } = {
  listing_created: create,
  listing_terms_updated: updateTerms,
  subscribed: subscribe,
  refunded: refund,
  reserve_changed: changeReserve,
  listing_closed: close,
  drawn_down: drawDown,
  repaid: repay,
  payout_claimed: claimPayout,
  listing_settled: settle,
  listing_cancelled: cancel,
  listing_voided: voidRaise,
  unmapped: keepUnmapped,
};

/** The rows before an event; null if there is no row yet. */
export type FoldState = {
  listing: Readonly<ListingRow> | null;
  /** of the event's backer (`backerOf`) */
  position: Readonly<PositionAmounts> | null;
  /** the owner of the token that a `listing_created` names */
  tokenOwner: Readonly<TokenRow> | null;
};

/** The changes that an event makes. The first event of a listing or of a position changes an empty row. */
export type FoldResult = {
  listing: ListingPatch;
  /** of the event's backer (`backerOf`) */
  position: Partial<PositionAmounts>;
  /** null unless the event binds a token to its listing */
  token: TokenRow | null;
  ledger: LedgerRow;
  deltas: MoneyDeltas;
  typed: TypedRow | null;
  anomalies: AnomalyRow[];
};

/** The event as a row of its kind's table, with typed columns, for queries of the database. */
type TypedRow =
  | { table: "subscription"; row: SubscriptionRow }
  | { table: "refund"; row: RefundRow }
  | { table: "repayment"; row: RepaymentRow };

/**
 * Folds one event. Events of a listing must come in the order of the chain.
 *
 * The freeze is judged first, by the event's block time and the terms valid before it; it never thaws.
 */
export function fold(state: FoldState, event: LocatedEvent): FoldResult {
  const { kind, at } = event;
  const anomalies = new AnomalyLog(event);
  const saved = state.listing ?? stubListing(at);
  const frozenByTime =
    saved.frozenAt === null && closingTimePassed(saved.closeAt, at.blockTime)
      ? freeze(saved, saved.closeAt)
      : null;
  // Copied only when needed: Ponder's rows are proxies, and slow to copy.
  const listing = frozenByTime === null ? saved : { ...saved, ...frozenByTime };
  if (listing.createdEventId === null && kind !== "listing_created") anomalies.add("unknown_listing");

  const before = { listing, position: state.position ?? EMPTY_POSITION, tokenOwner: state.tokenOwner };
  const change = handle(before, event, anomalies);
  const { raisedAmount, minRaise } = change.listing;
  const isMet = minimumMet(raisedAmount ?? listing.raisedAmount, minRaise ?? listing.minRaise);
  const isReversed =
    listing.frozenAt !== null && isMet !== minimumMet(listing.raisedAmount, listing.minRaise);
  const patch: ListingPatch =
    frozenByTime === null ? { ...change.listing } : { ...frozenByTime, ...change.listing };
  if (isReversed) patch.decidedAt = at.blockTime;
  patch.updatedBlock = at.blockNumber;
  patch.updatedAt = at.blockTime;
  patch.updatedTx = at.txHash;
  patch.updatedEventId = at.eventId;
  return {
    listing: patch,
    position: change.position ?? {},
    token: change.token ?? null,
    ledger: { ...at, kind, args: toLedgerArgs(event.args) },
    deltas: deltasOf(listing, change.listing),
    typed: typedRow(event, listing, change.listing),
    anomalies: anomalies.rows(),
  };
}

/** The backer whose position an event changes; null for an event without one. */
export function backerOf({ kind, args }: LocatedEvent): Hex | null {
  return kind === "subscribed" || kind === "refunded" ? args.backer : null;
}

function handle<Kind extends ListingEventKind>(
  before: Before,
  event: LocatedEvent<Kind>,
  anomalies: AnomalyLog,
): Change {
  return HANDLERS[event.kind](before, event, anomalies);
}

function deltasOf(before: Readonly<ListingRow>, patch: ListingPatch): MoneyDeltas {
  const terminalKind = patch.terminalKind ?? before.terminalKind;
  const drawnDownAt = patch.drawnDownAt ?? before.drawnDownAt;
  const owed = patch.outstandingPrincipal ?? before.outstandingPrincipal;
  const owedAfter = outstandingPrincipal({ terminalKind, drawnDownAt, outstandingPrincipal: owed });
  return {
    committed: difference(before.raisedAmount, patch.raisedAmount),
    refunded: difference(before.refundedAmount, patch.refundedAmount),
    repaidPrincipal: difference(before.repaidPrincipal, patch.repaidPrincipal),
    repaidInterest: difference(before.repaidInterest, patch.repaidInterest),
    outstanding: difference(outstandingPrincipal(before), owedAfter),
  };
}

function difference(before: bigint, after: bigint | undefined): bigint | null {
  return after === undefined || after === before ? null : after - before;
}

/** Figures that the event does not give are those of the fold. */
function typedRow(
  { kind, args, at }: LocatedEvent,
  listing: Readonly<ListingRow>,
  patch: ListingPatch,
): TypedRow | null {
  const { escrowAddress, onchainId, eventId, blockNumber, blockTime, txHash } = at;
  const row = { escrowAddress, onchainId, eventId, blockNumber, blockTime, txHash };
  if (kind === "subscribed") {
    const totalRaised = args.totalRaised ?? patch.raisedAmount ?? listing.raisedAmount;
    return { table: "subscription", row: { ...row, ...args, totalRaised } };
  }
  if (kind === "refunded") {
    const reason = args.reason ?? reasonOf(listing);
    const totalRefunded = args.totalRefunded ?? patch.refundedAmount ?? listing.refundedAmount;
    return { table: "refund", row: { ...row, ...args, reason, totalRefunded } };
  }
  if (kind === "repaid") {
    const { payer, outstandingPrincipal: told } = args;
    const outstandingPrincipal = told ?? patch.outstandingPrincipal ?? listing.outstandingPrincipal;
    return { table: "repayment", row: { ...row, payer, ...splitOf(listing, args), outstandingPrincipal } };
  }
  return null;
}
