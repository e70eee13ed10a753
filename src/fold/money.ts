/**
 * The events that move money: subscriptions, refunds, the reserve, repayments, payouts.
 * @module
 */
import type { AnomalyLog } from "./anomalies.ts";
import type { ArgsOf, LocatedEvent, Provenance } from "./events.ts";
import { repaymentTolerance } from "./rules.ts";
import { emptyPosition, type ListingRow, type PositionRow } from "./state.ts";
import type { ReserveReason } from "./vocabulary.ts";

/** Folds a money event into `draft`; returns the backer's position where the event has one. */
export function foldMoney(
  draft: ListingRow,
  position: PositionRow | null,
  event: LocatedEvent,
  anomalies: AnomalyLog,
): PositionRow | null {
  switch (event.kind) {
    case "subscribed":
      return subscribe(
        draft,
        { ...(position ?? emptyPosition(event.at, event.args.backer)) },
        event.args,
        event.at,
        anomalies,
      );
    case "refunded":
      return refund(
        draft,
        { ...(position ?? emptyPosition(event.at, event.args.backer)) },
        event.args,
        anomalies,
      );
    case "reserve_changed":
      changeReserve(draft, event.args, anomalies);
      return null;
    case "repaid":
      repay(draft, event.args, event.at, anomalies);
      return null;
    case "payout_claimed":
      if (event.args.amount === 0n) anomalies.add("zero_amount");
      draft.claimedAmount = anomalies.settleTotal(
        "totalClaimed",
        draft.claimedAmount + event.args.amount,
        event.args.totalClaimed,
      );
      return null;
    default:
      return null;
  }
}

/** A subscription counts while the raise is not frozen and when it brings something. */
function subscribe(
  draft: ListingRow,
  position: PositionRow,
  { amount, totalRaised }: ArgsOf<"subscribed">,
  at: Provenance,
  anomalies: AnomalyLog,
): PositionRow {
  if (amount === 0n) anomalies.add("zero_amount");
  if (draft.frozenAt !== null) anomalies.add("subscribed_after_close");
  if (amount === 0n || draft.frozenAt !== null) return position;

  if (position.netPrincipal === 0n) draft.subscriberCount += 1;
  position.netPrincipal = anomalies.sum("netPrincipal", position.netPrincipal, amount);
  position.subscribedAmount = anomalies.sum("subscribedAmount", position.subscribedAmount, amount);
  draft.raisedAmount = anomalies.settleTotal("totalRaised", draft.raisedAmount + amount, totalRaised);
  draft.firstSubscribedAt ??= at.blockTime;
  return position;
}

/**
 * Every refund raises `refundedAmount`. Only `withdrawn` and `outbid` lower the raise, and only while it is
 * open for that; by the backer's net principal at most, so that nothing becomes negative.
 */
function refund(
  draft: ListingRow,
  position: PositionRow,
  { reason, amount, totalRefunded }: ArgsOf<"refunded">,
  anomalies: AnomalyLog,
): PositionRow {
  if (amount === 0n) anomalies.add("zero_amount");
  const left = position.netPrincipal - position.returnedAmount;
  const held = left > 0n ? left : 0n;
  if (amount > held) {
    anomalies.add("refund_exceeds_principal", {
      field: "principal",
      expected: held.toString(),
      found: amount.toString(),
    });
  }
  draft.refundedAmount = anomalies.settleTotal("totalRefunded", draft.refundedAmount + amount, totalRefunded);
  position.refundedAmount = anomalies.sum("refundedAmount", position.refundedAmount, amount);

  if (!lowersTheRaise(draft, reason)) {
    // No more than the backer had: what one gets too much is not what another has back.
    const returned = amount < held ? amount : held;
    draft.returnedPrincipal = anomalies.sum("returnedPrincipal", draft.returnedPrincipal, returned);
    position.returnedAmount = anomalies.sum("returnedAmount", position.returnedAmount, amount);
    return position;
  }
  const lowered = amount < position.netPrincipal ? amount : position.netPrincipal;
  if (lowered === 0n) return position;
  position.netPrincipal -= lowered;
  if (position.netPrincipal === 0n) draft.subscriberCount -= 1;
  // The chain's own total may have put the raise below the sum of the net principals.
  if (lowered > draft.raisedAmount) {
    anomalies.add("total_mismatch", {
      field: "raisedAmount",
      expected: lowered.toString(),
      found: draft.raisedAmount.toString(),
    });
    draft.raisedAmount = 0n;
  } else {
    draft.raisedAmount -= lowered;
  }
  return position;
}

/** An auction is cleared after its deadline: its outbid refunds count until the first close or terminal event. */
function lowersTheRaise(draft: ListingRow, reason: ArgsOf<"refunded">["reason"]): boolean {
  if (reason !== "withdrawn" && reason !== "outbid") return false;
  if (draft.frozenAt === null) return true;
  const clearing = draft.closedAt === null && draft.terminalKind === null;
  return reason === "outbid" && draft.pricingMode === "auction" && clearing;
}

/** Whether a reason raises or lowers the reserve; of one that nobody knows only the chain's balance tells. */
const SIGN_OF_RESERVE: Partial<Record<ReserveReason, bigint>> = { posted: 1n, applied: -1n, released: -1n };

function changeReserve(
  draft: ListingRow,
  { reason, amount, reserveBalance }: ArgsOf<"reserve_changed">,
  anomalies: AnomalyLog,
): void {
  if (amount === 0n) anomalies.add("zero_amount");
  const change = (SIGN_OF_RESERVE[reason] ?? 0n) * amount;
  draft.reserveBalance = anomalies.settleTotal(
    "reserveBalance",
    draft.reserveBalance + change,
    reserveBalance,
  );
  if (reason === "applied")
    draft.reserveApplied = anomalies.sum("reserveApplied", draft.reserveApplied, amount);
}

function repay(
  draft: ListingRow,
  { principal, interest, outstandingPrincipal }: ArgsOf<"repaid">,
  at: Provenance,
  anomalies: AnomalyLog,
): void {
  if (principal === 0n && interest === 0n) anomalies.add("zero_amount");
  draft.repaidPrincipal = anomalies.sum("repaidPrincipal", draft.repaidPrincipal, principal);
  draft.repaidInterest = anomalies.sum("repaidInterest", draft.repaidInterest, interest);
  if (draft.drawnAmount === null) {
    // Nothing was owed yet, so there is nothing to hold the chain's figure against.
    anomalies.add("repaid_before_drawdown");
    return;
  }
  draft.outstandingPrincipal = anomalies.settleTotal(
    "outstandingPrincipal",
    draft.outstandingPrincipal - principal,
    outstandingPrincipal,
  );
  if (draft.outstandingPrincipal <= repaymentTolerance(draft.drawnAmount)) draft.clearedAt ??= at.blockTime;
}
