/**
 * The fold's state: rows of the tables and nothing else.
 * @module
 */
import type * as tables from "../../ponder.schema.ts";
import type { Provenance } from "./events.ts";

type Key = "escrowAddress" | "onchainId";

export type ListingRow = typeof tables.listing.$inferSelect;
/** The columns of a listing that an event changes. */
export type ListingPatch = Partial<Omit<ListingRow, Key>>;
export type PositionRow = typeof tables.backerPosition.$inferSelect;
export type PositionAmounts = Omit<PositionRow, Key | "backer">;
export type TokenRow = typeof tables.listingToken.$inferSelect;
/** An event's changes to the money of its raise: signed, base units. Null for an unchanged figure. */
export type MoneyDeltas = Pick<
  typeof tables.ledger.$inferSelect,
  "committed" | "refunded" | "repaidPrincipal" | "repaidInterest" | "outstanding"
>;
/** An event as the ledger keeps it, without its deltas: enough to fold it again. */
export type LedgerRow = Omit<typeof tables.ledger.$inferSelect, keyof MoneyDeltas>;
/** The same with its deltas. */
export type StoredRow = LedgerRow & MoneyDeltas;
export type AnomalyRow = typeof tables.anomaly.$inferSelect;
export type OfferRow = typeof tables.offer.$inferSelect;
export type RepaymentRow = typeof tables.repayment.$inferSelect;
export type SubscriptionRow = typeof tables.subscription.$inferSelect;
export type RefundRow = typeof tables.refund.$inferSelect;
export type HolderRow = typeof tables.tokenHolder.$inferSelect;
export type TradeRow = typeof tables.trade.$inferSelect;

/** The deltas of an event that changes none of these figures, such as the desk's. */
export const NO_DELTAS: MoneyDeltas = {
  committed: null,
  refunded: null,
  repaidPrincipal: null,
  repaidInterest: null,
  outstanding: null,
};

/** A listing before its first event. */
export function stubListing(at: Provenance): ListingRow {
  return {
    escrowAddress: at.escrowAddress,
    onchainId: at.onchainId,
    createdAt: null,
    createdBlock: null,
    createdEventId: null,
    originator: null,
    token: null,
    refnum: null,
    metadataHash: null,
    targetAmount: null,
    minRaise: null,
    couponRateBps: null,
    insuranceBps: null,
    tenorDays: null,
    pricingMode: null,
    goLiveAt: null,
    closeAt: null,
    termsUpdates: 0,
    termsUpdatedAt: null,
    raisedAmount: 0n,
    subscriberCount: 0,
    refundedAmount: 0n,
    returnedPrincipal: 0n,
    reserveBalance: 0n,
    reserveApplied: 0n,
    outstandingPrincipal: 0n,
    repaidPrincipal: 0n,
    repaidInterest: 0n,
    claimedAmount: 0n,
    firstSubscribedAt: null,
    frozenAt: null,
    decidedAt: null,
    closedAt: null,
    closeReason: null,
    minRaiseMet: null,
    closedCouponRateBps: null,
    drawnDownAt: null,
    drawnAmount: null,
    drawdownFee: null,
    maturityAt: null,
    clearedAt: null,
    terminalKind: null,
    terminalAt: null,
    terminalReason: null,
    outcome: null,
    writtenOffPrincipal: null,
    updatedBlock: at.blockNumber,
    updatedAt: at.blockTime,
    updatedTx: at.txHash,
    updatedEventId: at.eventId,
  };
}

/** A backer before the first subscription. */
export const EMPTY_POSITION: PositionAmounts = {
  netPrincipal: 0n,
  subscribedAmount: 0n,
  refundedAmount: 0n,
  returnedAmount: 0n,
};
