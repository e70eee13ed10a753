/**
 * The events that create, change and end a raise. What latches, latches once.
 * @module
 */
import type { AnomalyLog } from "./anomalies.ts";
import type { ArgsOf, LocatedEvent, Provenance, Terms } from "./events.ts";
import { freeze } from "./freeze.ts";
import { repaymentTolerance } from "./rules.ts";
import type { ListingRow, TokenRow } from "./state.ts";
import type { TerminalKind } from "./vocabulary.ts";

/** Letters and a five-digit counter: `RB00042`. */
const REFNUM = /^[A-Za-z]+\d{5}$/;

/** Folds a lifecycle event into `draft`; returns the token that a creation binds. */
export function foldLifecycle(
  draft: ListingRow,
  tokenOwner: TokenRow | null,
  event: LocatedEvent,
  anomalies: AnomalyLog,
): TokenRow | null {
  const { at } = event;
  switch (event.kind) {
    case "listing_created":
      return create(draft, tokenOwner, event.args, at, anomalies);
    case "listing_terms_updated":
      updateTerms(draft, event.args, anomalies);
      return null;
    case "listing_closed":
      close(draft, event.args, at, anomalies);
      return null;
    case "drawn_down":
      drawDown(draft, event.args, at, anomalies);
      return null;
    case "listing_settled":
      if (end(draft, "settled", at, anomalies)) {
        draft.outcome = event.args.outcome;
        draft.writtenOffPrincipal = event.args.writtenOffPrincipal;
      }
      return null;
    case "listing_cancelled":
      if (end(draft, "cancelled", at, anomalies)) draft.terminalReason = event.args.reason;
      return null;
    case "listing_voided":
      if (end(draft, "voided", at, anomalies)) draft.terminalReason = event.args.reason;
      return null;
    default:
      return null;
  }
}

function create(
  draft: ListingRow,
  tokenOwner: TokenRow | null,
  { originator, token, refnum, terms, metadataHash }: ArgsOf<"listing_created">,
  at: Provenance,
  anomalies: AnomalyLog,
): TokenRow | null {
  if (draft.createdEventId !== null) {
    anomalies.add("second_created");
    return null;
  }
  if (!REFNUM.test(refnum)) anomalies.add("bad_refnum");
  draft.createdAt = at.blockTime;
  draft.createdBlock = at.blockNumber;
  draft.createdEventId = at.eventId;
  draft.originator = originator;
  draft.token = token;
  draft.refnum = refnum;
  draft.metadataHash = metadataHash;
  setTerms(draft, terms);

  if (tokenOwner === null) {
    return { token, escrowAddress: at.escrowAddress, onchainId: at.onchainId, holderCount: 0 };
  }
  anomalies.add("token_reused", {
    field: "token",
    expected: `${tokenOwner.escrowAddress}/${tokenOwner.onchainId}`,
    found: `${at.escrowAddress}/${at.onchainId}`,
  });
  return null;
}

function updateTerms(
  draft: ListingRow,
  { terms, metadataHash }: ArgsOf<"listing_terms_updated">,
  anomalies: AnomalyLog,
): void {
  if (draft.frozenAt !== null) {
    anomalies.add("terms_after_close");
    return;
  }
  draft.metadataHash = metadataHash;
  setTerms(draft, terms);
}

function setTerms(draft: ListingRow, terms: Terms): void {
  Object.assign(draft, terms);
}

/** The first close fixes the amount raised and the coupon, unless the raise has ended already. */
function close(
  draft: ListingRow,
  { reason, raisedAmount, minRaiseMet, couponRateBps }: ArgsOf<"listing_closed">,
  at: Provenance,
  anomalies: AnomalyLog,
): void {
  if (draft.closedAt !== null || draft.terminalKind !== null) {
    anomalies.add("second_close");
    return;
  }
  draft.raisedAmount = anomalies.settleTotal("raisedAmount", draft.raisedAmount, raisedAmount);
  draft.closedAt = at.blockTime;
  draft.closeReason = reason;
  draft.minRaiseMet = minRaiseMet;
  draft.closedCouponRateBps = couponRateBps;
  freeze(draft, at.blockTime);
}

function drawDown(
  draft: ListingRow,
  { amount, fee, maturityAt }: ArgsOf<"drawn_down">,
  at: Provenance,
  anomalies: AnomalyLog,
): void {
  if (draft.drawnAmount !== null) {
    anomalies.add("second_drawdown");
    return;
  }
  if (amount === 0n) anomalies.add("zero_amount");
  draft.drawnDownAt = at.blockTime;
  draft.drawnAmount = amount;
  draft.drawdownFee = fee;
  draft.maturityAt = maturityAt;
  draft.outstandingPrincipal = amount;
  if (amount <= repaymentTolerance(amount)) draft.clearedAt = at.blockTime;
}

/** Latches the first terminal event and freezes the raise; a later one is an anomaly. */
function end(draft: ListingRow, kind: TerminalKind, at: Provenance, anomalies: AnomalyLog): boolean {
  if (draft.terminalKind !== null) {
    anomalies.add("second_terminal");
    return false;
  }
  draft.terminalKind = kind;
  draft.terminalAt = at.blockTime;
  freeze(draft, at.blockTime);
  return true;
}
