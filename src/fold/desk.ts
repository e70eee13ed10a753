/**
 * The fold of the secondary desk: offers and fills of the tokens of followed listings.
 *
 * Pure and total, like the fold of the escrow. A stranger may offer any token on a desk; what does not belong
 * to a followed listing is not ours and folds into nothing.
 * @module
 */
import type { DecodeEventLogReturnType, Hex } from "viem";
import type { secondaryDeskEventsAbi } from "../../abis/SecondaryDeskEvents.ts";
import { AnomalyLog } from "./anomalies.ts";
import { lower, type Provenance, toLedgerArgs } from "./events.ts";
import type { AnomalyRow, LedgerRow, OfferRow, TradeRow } from "./state.ts";
import type { EventKind } from "./vocabulary.ts";

/** A log of the desk as viem decodes it. */
export type DeskLog = DecodeEventLogReturnType<typeof secondaryDeskEventsAbi>;

/** A desk log in its place; `at` names the listing whose token it concerns. */
export type DeskEvent = { log: DeskLog; desk: Hex; at: Provenance };

export type DeskFoldResult = {
  offer: OfferRow | null;
  trade: TradeRow | null;
  ledger: LedgerRow;
  anomalies: AnomalyRow[];
};

const KINDS = {
  OfferCreated: "offer_created",
  OfferFilled: "offer_filled",
  OfferCancelled: "offer_cancelled",
} as const satisfies Record<DeskLog["eventName"], EventKind>;

/** Folds one event of the desk into its offer; `known` is the offer before it, null when there is none. */
export function foldDesk(known: OfferRow | null, { log, desk, at }: DeskEvent): DeskFoldResult {
  const kind = KINDS[log.eventName];
  const anomalies = new AnomalyLog({ kind, at });
  const { offer, trade } = apply(known, { log, desk, at }, anomalies);
  return { offer, trade, ledger: { ...at, kind, args: ledgerArgs(log) }, anomalies: anomalies.rows() };
}

function apply(
  known: OfferRow | null,
  { log, desk, at }: DeskEvent,
  anomalies: AnomalyLog,
): { offer: OfferRow | null; trade: TradeRow | null } {
  const { escrowAddress, onchainId, eventId, blockNumber, blockTime, txHash } = at;
  if (log.eventName === "OfferCreated") {
    if (known !== null) {
      anomalies.add("second_created");
      return { offer: known, trade: null };
    }
    const { offerId, token, seller, amount, priceBps, expiresAt } = log.args;
    if (amount === 0n) anomalies.add("zero_amount");
    const offer: OfferRow = {
      desk,
      offerId,
      token: lower(token),
      escrowAddress,
      onchainId,
      seller: lower(seller),
      amount,
      remaining: amount,
      priceBps,
      expiresAt,
      cancelledAt: null,
      createdAt: blockTime,
      updatedEventId: eventId,
    };
    return { offer, trade: null };
  }
  if (known === null) {
    // The offer is older than the block from which the desk is followed: seller and price are not known.
    anomalies.add("unknown_listing");
    return { offer: null, trade: null };
  }
  if (log.eventName === "OfferCancelled") {
    const remaining = anomalies.settleTotal("remaining", known.remaining, log.args.remaining);
    return { offer: { ...known, remaining, cancelledAt: blockTime, updatedEventId: eventId }, trade: null };
  }
  const { offerId, buyer, amount, cost } = log.args;
  const remaining = anomalies.settleTotal("remaining", known.remaining - amount, log.args.remaining);
  const offer = { ...known, remaining, updatedEventId: eventId };
  if (amount === 0n) {
    anomalies.add("zero_amount");
    return { offer, trade: null };
  }
  const trade: TradeRow = {
    desk,
    offerId,
    eventId,
    token: known.token,
    escrowAddress,
    onchainId,
    seller: known.seller,
    buyer: lower(buyer),
    amount,
    cost,
    blockNumber,
    blockTime,
    txHash,
  };
  return { offer, trade };
}

function ledgerArgs({ args }: DeskLog): Record<string, unknown> {
  const addresses = Object.entries(args).map(([name, value]) =>
    typeof value === "string" ? [name, lower(value)] : [name, value],
  );
  return toLedgerArgs(Object.fromEntries(addresses));
}
