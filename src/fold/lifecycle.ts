/**
 * Handlers of the events that create, change and end a raise. A latched value never changes.
 * @module
 */
import type { AnomalyLog } from "./anomalies.ts";
import type { Provenance } from "./events.ts";
import { type Before, type Change, freeze, type Handler } from "./handler.ts";
import { outstandingPrincipal, repaymentTolerance } from "./rules.ts";
import type { ListingPatch } from "./state.ts";
import type { TerminalKind } from "./vocabulary.ts";

/** Seconds. */
export const DAY = 86_400n;
/** Letters and a five-digit counter: `RB00042`. */
export const REFNUM = /^[A-Za-z]+\d{5}$/;

/** The first creation sets terms and token; a token belongs to the first listing that names it. */
export const create: Handler<"listing_created"> = ({ listing, tokenOwner }, { args, at }, anomalies) => {
  if (listing.createdEventId !== null) {
    anomalies.add("second_created");
    return { listing: {} };
  }
  const { originator, token, refnum, terms, metadataHash } = args;
  const { escrowAddress, onchainId } = at;
  if (refnum !== null && !REFNUM.test(refnum)) anomalies.add("bad_refnum");
  const created = {
    createdAt: at.blockTime,
    createdBlock: at.blockNumber,
    createdEventId: at.eventId,
    originator,
    token,
    refnum,
    metadataHash,
    ...terms,
  };
  if (token === null) return { listing: created };
  if (tokenOwner === null) {
    const owner = { token, escrowAddress, onchainId, holderCount: 0, updatedBlock: at.blockNumber };
    return { listing: created, token: owner };
  }
  anomalies.add("token_reused", {
    field: "token",
    expected: `${tokenOwner.escrowAddress}/${tokenOwner.onchainId}`,
    found: `${escrowAddress}/${onchainId}`,
  });
  return { listing: created };
};

export const updateTerms: Handler<"listing_terms_updated"> = ({ listing }, { args, at }, anomalies) => {
  if (listing.frozenAt !== null) {
    anomalies.add("terms_after_close");
    return { listing: {} };
  }
  return {
    listing: {
      metadataHash: args.metadataHash ?? listing.metadataHash,
      ...args.terms,
      termsUpdates: listing.termsUpdates + 1,
      termsUpdatedAt: at.blockTime,
    },
  };
};

/** The first close fixes the amount raised and the coupon, unless the raise has ended already. */
export const close: Handler<"listing_closed"> = ({ listing }, { args, at }, anomalies) => {
  if (listing.closedAt !== null || listing.terminalKind !== null) {
    anomalies.add("second_close");
    return { listing: {} };
  }
  return {
    listing: {
      raisedAmount: anomalies.reconcile("raisedAmount", listing.raisedAmount, args.raisedAmount),
      closedAt: at.blockTime,
      closeReason: args.reason,
      minRaiseMet: args.minRaiseMet,
      closedCouponRateBps: args.couponRateBps ?? listing.couponRateBps,
      ...freeze(listing, at.blockTime),
    },
  };
};

export const drawDown: Handler<"drawn_down"> = (
  { listing },
  { args: { amount, fee, maturityAt }, at },
  anomalies,
) => {
  const { tenorDays } = listing;
  if (listing.drawnAmount !== null) {
    anomalies.add("second_drawdown");
    return { listing: {} };
  }
  if (amount === 0n) anomalies.add("zero_amount");
  const isCleared = amount <= repaymentTolerance(amount);
  return {
    listing: {
      drawnDownAt: at.blockTime,
      drawnAmount: amount,
      drawdownFee: fee,
      maturityAt: maturityAt ?? (tenorDays === null ? null : at.blockTime + BigInt(tenorDays) * DAY),
      outstandingPrincipal: amount,
      ...(isCleared && { clearedAt: at.blockTime }),
    },
  };
};

export const settle: Handler<"listing_settled"> = (before, { args, at }, anomalies) => {
  const owed = outstandingPrincipal(before.listing);
  const outcome = args.outcome ?? (owed === 0n ? "repaid" : "defaulted");
  // What is owed without an event for the drawdown is not known here.
  const isChecked = before.listing.terminalKind === null && before.listing.drawnAmount !== null;
  const writtenOffPrincipal = isChecked
    ? anomalies.reconcile("writtenOffPrincipal", owed, args.writtenOffPrincipal)
    : (args.writtenOffPrincipal ?? owed);
  return end(before, at, anomalies, { terminalKind: "settled", outcome, writtenOffPrincipal });
};

export const cancel: Handler<"listing_cancelled"> = (before, { args, at }, anomalies) =>
  end(before, at, anomalies, { terminalKind: "cancelled", terminalReason: args.reason });

export const voidRaise: Handler<"listing_voided"> = (before, { args, at }, anomalies) =>
  end(before, at, anomalies, { terminalKind: "voided", terminalReason: args.reason });

/** Latches the first terminal event and freezes the raise; a later one is an anomaly. */
function end(
  { listing }: Before,
  { blockTime }: Provenance,
  anomalies: AnomalyLog,
  ending: ListingPatch & { terminalKind: TerminalKind },
): Change {
  if (listing.terminalKind !== null) {
    anomalies.add("second_terminal");
    return { listing: {} };
  }
  return { listing: { ...ending, terminalAt: blockTime, ...freeze(listing, blockTime) } };
}

/** The log changed nothing: it is not known what it means. */
export const keepUnmapped: Handler<"unmapped"> = (_, __, anomalies) => {
  anomalies.add("unmapped_event");
  return { listing: {} };
};
