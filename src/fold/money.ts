/**
 * Handlers of the events that move money: subscriptions, refunds, the reserve, repayments, payouts.
 * @module
 */
import type { ArgsOf } from "./event-kinds.ts";
import type { Handler } from "./handler.ts";
import { outstandingPrincipal as outstandingPrincipalOf, RESERVE_SIGN, repaymentTolerance } from "./rules.ts";
import type { ListingRow } from "./state.ts";
import type { RefundReason } from "./vocabulary.ts";

/** A subscription counts if its amount is positive and the raise is not frozen. */
export const subscribe: Handler<"subscribed"> = ({ listing, position }, { args, at }, anomalies) => {
  const { amount, totalRaised } = args;
  if (amount === 0n) anomalies.add("zero_amount");
  if (listing.frozenAt !== null) anomalies.add("subscribed_after_close");
  if (amount === 0n || listing.frozenAt !== null) return { listing: {}, position: {} };
  return {
    position: {
      netPrincipal: anomalies.sum("netPrincipal", position.netPrincipal, amount),
      subscribedAmount: anomalies.sum("subscribedAmount", position.subscribedAmount, amount),
    },
    listing: {
      raisedAmount: anomalies.reconcile("totalRaised", listing.raisedAmount + amount, totalRaised),
      subscriberCount: listing.subscriberCount + (position.netPrincipal === 0n ? 1 : 0),
      firstSubscribedAt: listing.firstSubscribedAt ?? at.blockTime,
    },
  };
};

/**
 * Every refund raises `refundedAmount`. Only `withdrawn` and `outbid` lower the raise, only while it can still change,
 * and by the backer's net principal at most, so that nothing becomes negative.
 */
export const refund: Handler<"refunded"> = ({ listing, position }, { args }, anomalies) => {
  const { amount, totalRefunded } = args;
  const reason = args.reason ?? reasonOf(listing);
  if (amount === 0n) anomalies.add("zero_amount");
  const unreturned = position.netPrincipal - position.returnedAmount;
  const held = unreturned > 0n ? unreturned : 0n;
  if (amount > held) anomalies.differ("refund_exceeds_principal", "principal", held, amount);
  const total = anomalies.reconcile("totalRefunded", listing.refundedAmount + amount, totalRefunded);
  const ofBacker = anomalies.sum("refundedAmount", position.refundedAmount, amount);

  if (!lowersTheRaise(listing, reason)) {
    // At most this backer's remaining principal: an excess must not count as another backer's.
    const returned = smaller(amount, held);
    return {
      listing: {
        refundedAmount: total,
        returnedPrincipal: anomalies.sum("returnedPrincipal", listing.returnedPrincipal, returned),
      },
      position: {
        refundedAmount: ofBacker,
        returnedAmount: anomalies.sum("returnedAmount", position.returnedAmount, amount),
      },
    };
  }
  const lowered = smaller(amount, position.netPrincipal);
  const netPrincipal = position.netPrincipal - lowered;
  // The chain's own total may have put the raise below the sum of the net principals.
  if (lowered > listing.raisedAmount)
    anomalies.differ("total_mismatch", "raisedAmount", lowered, listing.raisedAmount);
  return {
    listing: {
      refundedAmount: total,
      raisedAmount: listing.raisedAmount - smaller(lowered, listing.raisedAmount),
      subscriberCount: listing.subscriberCount - (lowered > 0n && netPrincipal === 0n ? 1 : 0),
    },
    position: { refundedAmount: ofBacker, netPrincipal },
  };
};

/** The reason of a refund whose event gives none. */
export function reasonOf({ frozenAt, terminalKind }: Readonly<ListingRow>): RefundReason {
  if (frozenAt === null) return "withdrawn";
  return terminalKind === "cancelled" || terminalKind === "voided" ? terminalKind : "min_not_met";
}

/** An auction is cleared after its deadline: its outbid refunds count until the first close or terminal event. */
function lowersTheRaise(listing: Readonly<ListingRow>, reason: RefundReason): boolean {
  if (reason !== "withdrawn" && reason !== "outbid") return false;
  if (listing.frozenAt === null) return true;
  const isClearing = listing.closedAt === null && listing.terminalKind === null;
  return reason === "outbid" && listing.pricingMode === "auction" && isClearing;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export const changeReserve: Handler<"reserve_changed"> = ({ listing }, { args }, anomalies) => {
  const { reason, amount, reserveBalance } = args;
  if (amount === 0n) anomalies.add("zero_amount");
  const expected = listing.reserveBalance + (RESERVE_SIGN[reason] ?? 0n) * amount;
  return {
    listing: {
      reserveBalance: anomalies.reconcile("reserveBalance", expected, reserveBalance),
      ...(reason === "applied" && {
        reserveApplied: anomalies.sum("reserveApplied", listing.reserveApplied, amount),
      }),
    },
  };
};

/** Principal and interest of a payment. Where the event does not tell them apart, principal is paid first. */
export function splitOf(
  listing: Readonly<ListingRow>,
  { principal, interest, amount }: ArgsOf<"repaid">,
): { principal: bigint; interest: bigint } {
  const whole = amount ?? null;
  if (whole === null) return { principal: principal ?? 0n, interest: interest ?? 0n };
  const ofPrincipal = smaller(whole, outstandingPrincipalOf(listing));
  return { principal: ofPrincipal, interest: whole - ofPrincipal };
}

export const repay: Handler<"repaid"> = ({ listing }, { args, at }, anomalies) => {
  const { outstandingPrincipal } = args;
  const { principal, interest } = splitOf(listing, args);
  if (principal === 0n && interest === 0n) anomalies.add("zero_amount");
  const repaid = {
    repaidPrincipal: anomalies.sum("repaidPrincipal", listing.repaidPrincipal, principal),
    repaidInterest: anomalies.sum("repaidInterest", listing.repaidInterest, interest),
  };
  if (listing.drawnAmount === null) {
    // Nothing was owed yet, so there is no figure to compare with the chain's.
    anomalies.add("repaid_before_drawdown");
    return { listing: repaid };
  }
  const expected = listing.outstandingPrincipal - principal;
  const outstanding = anomalies.reconcile("outstandingPrincipal", expected, outstandingPrincipal);
  const isCleared = outstanding <= repaymentTolerance(listing.drawnAmount);
  return {
    listing: {
      ...repaid,
      outstandingPrincipal: outstanding,
      clearedAt: listing.clearedAt ?? (isCleared ? at.blockTime : null),
    },
  };
};

export const claimPayout: Handler<"payout_claimed"> = ({ listing }, { args }, anomalies) => {
  const { amount, totalClaimed } = args;
  if (amount === 0n) anomalies.add("zero_amount");
  const expected = listing.claimedAmount + amount;
  return { listing: { claimedAmount: anomalies.reconcile("totalClaimed", expected, totalClaimed) } };
};
