/**
 * The fold: one event of one listing, from the state before it to the state after it.
 *
 * Pure and total: it reads no clock and no table, and no event makes it throw. A surprise becomes an anomaly
 * beside the ledger row. The handlers save what it returns; a replay of the ledger calls the same function.
 * @module
 */
import { AnomalyLog } from "./anomalies.ts";
import type { LocatedEvent } from "./events.ts";
import { freeze } from "./freeze.ts";
import { toLedgerArgs } from "./ledger.ts";
import { foldLifecycle } from "./lifecycle.ts";
import { foldMoney } from "./money.ts";
import { closingTimePassed, minimumMet } from "./rules.ts";
import {
  type AnomalyRow,
  type LedgerRow,
  type ListingRow,
  type PositionRow,
  type RefundRow,
  type RepaymentRow,
  type SubscriptionRow,
  stubListing,
  type TokenRow,
} from "./state.ts";

/** What is known before an event; null where nothing is. */
export type FoldState = {
  listing: ListingRow | null;
  /** of the event's backer; only `subscribed` and `refunded` have one */
  position: PositionRow | null;
  /** who has the token that a `listing_created` names */
  tokenOwner: TokenRow | null;
};

/** What an event makes of it. Null where the event leaves nothing of that kind to save. */
export type FoldResult = {
  listing: ListingRow;
  position: PositionRow | null;
  token: TokenRow | null;
  ledger: LedgerRow;
  typed: TypedRow | null;
  anomalies: AnomalyRow[];
};

/** The event once more with typed columns, for those who query the database. */
export type TypedRow =
  | { table: "subscription"; row: SubscriptionRow }
  | { table: "refund"; row: RefundRow }
  | { table: "repayment"; row: RepaymentRow };

/**
 * Folds one event. Events of a listing must come in the order of the chain.
 *
 * The freeze is judged first, by the event's block time and the terms valid before it; it never thaws.
 */
export function fold(state: FoldState, event: LocatedEvent): FoldResult {
  const { at } = event;
  const before = state.listing ?? stubListing(at);
  const draft: ListingRow = { ...before };
  const anomalies = new AnomalyLog(event);

  if (draft.frozenAt === null && closingTimePassed(draft.closeAt, at.blockTime)) freeze(draft, draft.closeAt);
  if (draft.createdEventId === null && event.kind !== "listing_created") anomalies.add("unknown_listing");

  const wasMet = minimumMet(draft.raisedAmount, draft.minRaise);
  const wasFrozen = draft.frozenAt !== null;
  const position = foldMoney(draft, state.position, event, anomalies);
  const token = foldLifecycle(draft, state.tokenOwner, event, anomalies);
  if (wasFrozen && minimumMet(draft.raisedAmount, draft.minRaise) !== wasMet) draft.decidedAt = at.blockTime;

  draft.updatedBlock = at.blockNumber;
  draft.updatedAt = at.blockTime;
  draft.updatedTx = at.txHash;
  draft.updatedEventId = at.eventId;
  return {
    listing: draft,
    position,
    token,
    ledger: { ...at, kind: event.kind, args: toLedgerArgs(event.args) },
    typed: typedRow(event),
    anomalies: anomalies.rows(),
  };
}

function typedRow({ kind, args, at }: LocatedEvent): TypedRow | null {
  const { logIndex, ...row } = at;
  if (kind === "subscribed") return { table: "subscription", row: { ...row, ...args } };
  if (kind === "refunded") return { table: "refund", row: { ...row, ...args } };
  if (kind === "repaid") return { table: "repayment", row: { ...row, ...args } };
  return null;
}
