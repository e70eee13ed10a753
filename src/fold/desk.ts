/**
 * The fold of the secondary desk: offers and fills of the tokens of followed listings.
 *
 * Pure and total, like the fold of the escrow. Any token can be offered on a desk; offers of tokens without a
 * followed listing are ignored.
 * @module
 */
import { AnomalyLog } from "./anomalies.ts";
import type { LocatedDeskEvent } from "./events.ts";
import { toLedgerArgs } from "./ledger.ts";
import type { AnomalyRow, LedgerRow, OfferRow, TradeRow } from "./state.ts";

/** The rows that an event saves; null for an unchanged table. */
export type DeskFoldResult = {
  offer: OfferRow | null;
  trade: TradeRow | null;
  ledger: LedgerRow;
  anomalies: AnomalyRow[];
};

/** Folds one event of the desk; `before` is the offer before the event, null for a new one. */
export function foldDesk(before: OfferRow | null, event: LocatedDeskEvent): DeskFoldResult {
  const { kind, args, at } = event;
  const anomalies = new AnomalyLog(event);
  const { offer, trade } = apply(before, event, anomalies);
  return { offer, trade, ledger: { ...at, kind, args: toLedgerArgs(args) }, anomalies: anomalies.rows() };
}

function apply(
  before: OfferRow | null,
  { kind, args, at }: LocatedDeskEvent,
  anomalies: AnomalyLog,
): { offer: OfferRow | null; trade: TradeRow | null } {
  const { logIndex, part, ...place } = at;
  const { escrowAddress, onchainId, eventId: updatedEventId, blockTime } = place;
  if (kind === "offer_created") {
    if (before !== null) {
      anomalies.add("second_created");
      return { offer: before, trade: null };
    }
    if (args.amount === 0n) anomalies.add("zero_amount");
    const listing = { escrowAddress, onchainId };
    const state = { remaining: args.amount, cancelledAt: null, createdAt: blockTime, updatedEventId };
    return { offer: { ...listing, ...args, ...state }, trade: null };
  }
  if (before === null) {
    // The offer was created before the first followed block of the desk: its seller and price are unknown.
    anomalies.add("unknown_listing");
    return { offer: null, trade: null };
  }
  if (kind === "offer_cancelled") {
    const remaining = anomalies.reconcile("remaining", before.remaining, args.remaining);
    return { offer: { ...before, remaining, cancelledAt: blockTime, updatedEventId }, trade: null };
  }
  const { desk, offerId, buyer, amount, cost } = args;
  const remaining = anomalies.reconcile("remaining", before.remaining - amount, args.remaining);
  const offer = { ...before, remaining, updatedEventId };
  if (amount === 0n) {
    anomalies.add("zero_amount");
    return { offer, trade: null };
  }
  const { token, seller } = before;
  return { offer, trade: { ...place, desk, offerId, token, seller, buyer, amount, cost } };
}
