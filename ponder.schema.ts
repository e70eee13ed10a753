/**
 * The tables that the events fold into.
 *
 * A raise is keyed by `(escrowAddress, onchainId)`: on-chain ids restart at 1 on every redeploy. During an ordinary backfill
 * there is no index but the primary key.
 *
 * Amounts are base units (18 decimals), rates basis points, times unix seconds of the chain.
 * @module
 */
import { index, onchainTable, primaryKey } from "ponder";
import type {
  AnomalyKind,
  AnomalySource,
  CloseReason,
  Difference,
  EventKind,
  Outcome,
  PricingMode,
  RefundReason,
  TableFamily,
  TerminalKind,
} from "./src/fold/vocabulary.ts";

/**
 * One row for each family of tables, which changes with every event of the family.
 *
 * Readers compare it to notice changes without counting a table. It stands first because Ponder writes the tables in their
 * order here: on the embedded database, where a block is not written in a transaction, a tally beyond the checkpoint says
 * that one is being written. It has the hash of the last event's block, as after a reorg another event may stand in the
 * same place, with the same id.
 */
export const tally = onchainTable("tally", (t) => ({
  family: t.text().$type<TableFamily>().primaryKey(),
  events: t.integer().notNull(),
  lastEventId: t.text().notNull(),
  lastBlockHash: t.hex().notNull(),
}));

/**
 * The blocks with an event of ours. While a block that a reader has seen still has its hash here, no reorg has undone it or
 * any block before it: what changed since are the events after it.
 */
export const eventBlock = onchainTable("event_block", (t) => ({
  number: t.bigint().primaryKey(),
  hash: t.hex().notNull(),
}));

/**
 * One raise: the terms, the running sums and the facts that latch.
 *
 * The columns of `ListingCreated` and of the terms are null in a stub: a raise whose events came before its creation.
 */
export const listing = onchainTable(
  "listing",
  (t) => ({
    escrowAddress: t.hex().notNull(),
    onchainId: t.bigint().notNull(),

    // ListingCreated
    createdAt: t.bigint(),
    createdBlock: t.bigint(),
    createdEventId: t.text(),
    originator: t.hex(),
    token: t.hex(),
    refnum: t.text(),

    // the terms; closeAt is null when there is none. Updates are those that took effect, with the last one's block time
    metadataHash: t.hex(),
    targetAmount: t.bigint(),
    minRaise: t.bigint(),
    couponRateBps: t.int8({ mode: "number" }),
    insuranceBps: t.int8({ mode: "number" }),
    tenorDays: t.int8({ mode: "number" }),
    pricingMode: t.text().$type<PricingMode>(),
    goLiveAt: t.bigint(),
    closeAt: t.bigint(),
    termsUpdates: t.integer().notNull(),
    termsUpdatedAt: t.bigint(),

    // running sums
    raisedAmount: t.bigint().notNull(),
    subscriberCount: t.integer().notNull(),
    refundedAmount: t.bigint().notNull(),
    /** the part of raisedAmount that a failed, cancelled or voided raise has refunded */
    returnedPrincipal: t.bigint().notNull(),
    reserveBalance: t.bigint().notNull(),
    reserveApplied: t.bigint().notNull(),
    outstandingPrincipal: t.bigint().notNull(),
    repaidPrincipal: t.bigint().notNull(),
    repaidInterest: t.bigint().notNull(),
    claimedAmount: t.bigint().notNull(),

    // facts that latch, in the order of a raise's life
    firstSubscribedAt: t.bigint(),
    /** from then on raisedAmount, the net principals and subscriberCount stand still */
    frozenAt: t.bigint(),
    /** when "minimum met" or "missed" was last decided; null until frozen */
    decidedAt: t.bigint(),
    closedAt: t.bigint(),
    closeReason: t.text().$type<CloseReason>(),
    minRaiseMet: t.boolean(),
    closedCouponRateBps: t.int8({ mode: "number" }),
    drawnDownAt: t.bigint(),
    drawnAmount: t.bigint(),
    drawdownFee: t.bigint(),
    maturityAt: t.bigint(),
    /** the first time that the outstanding principal is within the tolerance */
    clearedAt: t.bigint(),
    terminalKind: t.text().$type<TerminalKind>(),
    terminalAt: t.bigint(),
    terminalReason: t.hex(),
    outcome: t.text().$type<Outcome>(),
    writtenOffPrincipal: t.bigint(),

    // where the last change came from
    updatedBlock: t.bigint().notNull(),
    updatedAt: t.bigint().notNull(),
    updatedTx: t.hex().notNull(),
    updatedEventId: t.text().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.escrowAddress, table.onchainId] }) }),
);

/**
 * Every event, append-only. The feed of events, `asOf` and the audit read this table alone.
 *
 * The last columns are signed: what the event changed in the money of its raise, null for nothing. It is an invariant
 * that their sums over a listing's rows are the listing's figures, also where the chain contradicts itself.
 */
export const ledger = onchainTable(
  "ledger",
  (t) => ({
    escrowAddress: t.hex().notNull(),
    onchainId: t.bigint().notNull(),
    eventId: t.text().notNull(),
    kind: t.text().$type<EventKind>().notNull(),
    blockNumber: t.bigint().notNull(),
    blockTime: t.bigint().notNull(),
    txHash: t.hex().notNull(),
    logIndex: t.integer().notNull(),
    /** its place among the events of its log; 0 but for a log that means several */
    part: t.integer().notNull(),
    /** the event's arguments; integers above 32 bits as decimal strings */
    args: t.json().$type<Record<string, unknown>>().notNull(),
    /** of `raisedAmount` */
    committed: t.bigint(),
    /** of `refundedAmount` */
    refunded: t.bigint(),
    repaidPrincipal: t.bigint(),
    repaidInterest: t.bigint(),
    /** of the principal still owed, which is zero before the drawdown and once settled */
    outstanding: t.bigint(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.escrowAddress, table.onchainId, table.eventId] }),
    /** the order of the feed and of its cursors */
    byPlace: index().on(table.blockNumber, table.logIndex, table.part),
    /** the same for one kind, however rare */
    byKind: index().on(table.kind, table.blockNumber, table.logIndex, table.part),
    /** an event id begins with the block's time: for the first event at or after a time */
    byEvent: index().on(table.eventId),
  }),
);

export const subscription = onchainTable(
  "subscription",
  (t) => ({
    escrowAddress: t.hex().notNull(),
    onchainId: t.bigint().notNull(),
    eventId: t.text().notNull(),
    backer: t.hex().notNull(),
    payer: t.hex().notNull(),
    amount: t.bigint().notNull(),
    bidRateBps: t.int8({ mode: "number" }).notNull(),
    totalRaised: t.bigint().notNull(),
    blockNumber: t.bigint().notNull(),
    blockTime: t.bigint().notNull(),
    txHash: t.hex().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.escrowAddress, table.onchainId, table.eventId] }) }),
);

export const refund = onchainTable(
  "refund",
  (t) => ({
    escrowAddress: t.hex().notNull(),
    onchainId: t.bigint().notNull(),
    eventId: t.text().notNull(),
    backer: t.hex().notNull(),
    reason: t.text().$type<RefundReason>().notNull(),
    amount: t.bigint().notNull(),
    totalRefunded: t.bigint().notNull(),
    blockNumber: t.bigint().notNull(),
    blockTime: t.bigint().notNull(),
    txHash: t.hex().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.escrowAddress, table.onchainId, table.eventId] }) }),
);

export const repayment = onchainTable(
  "repayment",
  (t) => ({
    escrowAddress: t.hex().notNull(),
    onchainId: t.bigint().notNull(),
    eventId: t.text().notNull(),
    payer: t.hex(),
    principal: t.bigint().notNull(),
    interest: t.bigint().notNull(),
    outstandingPrincipal: t.bigint().notNull(),
    blockNumber: t.bigint().notNull(),
    blockTime: t.bigint().notNull(),
    txHash: t.hex().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.escrowAddress, table.onchainId, table.eventId] }) }),
);

/** One backer's money in one raise. `netPrincipal` stands still once the raise is frozen. */
export const backerPosition = onchainTable(
  "backer_position",
  (t) => ({
    escrowAddress: t.hex().notNull(),
    onchainId: t.bigint().notNull(),
    backer: t.hex().notNull(),
    netPrincipal: t.bigint().notNull(),
    subscribedAmount: t.bigint().notNull(),
    refundedAmount: t.bigint().notNull(),
    /** the refunds that did not lower the net principal: those of a failed, cancelled or voided raise */
    returnedAmount: t.bigint().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.escrowAddress, table.onchainId, table.backer] }) }),
);

/** The raise of each token; the first listing that names a token keeps it. */
export const listingToken = onchainTable(
  "listing_token",
  (t) => ({
    token: t.hex().primaryKey(),
    escrowAddress: t.hex().notNull(),
    onchainId: t.bigint().notNull(),
    /** holders with a balance above zero; stays 0 where transfers are not followed */
    holderCount: t.integer().notNull(),
    /** the last block that changed the row */
    updatedBlock: t.bigint().notNull(),
  }),
  (table) => ({ byUpdate: index().on(table.updatedBlock) }),
);

/** The balances of a listing's token, from its `Transfer` events. No documented figure depends on them. */
export const tokenHolder = onchainTable(
  "token_holder",
  (t) => ({
    token: t.hex().notNull(),
    holder: t.hex().notNull(),
    balance: t.bigint().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.token, table.holder] }) }),
);

/** A fixed-price offer on the secondary desk, of the token of a followed listing. */
export const offer = onchainTable(
  "offer",
  (t) => ({
    desk: t.hex().notNull(),
    offerId: t.bigint().notNull(),
    token: t.hex().notNull(),
    escrowAddress: t.hex().notNull(),
    onchainId: t.bigint().notNull(),
    seller: t.hex().notNull(),
    amount: t.bigint().notNull(),
    remaining: t.bigint().notNull(),
    priceBps: t.bigint().notNull(),
    expiresAt: t.bigint().notNull(),
    cancelledAt: t.bigint(),
    createdAt: t.bigint().notNull(),
    updatedEventId: t.text().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.desk, table.offerId] }) }),
);

/** One fill of an offer. `cost` is the buyer's payment, in base units of the dollar. */
export const trade = onchainTable(
  "trade",
  (t) => ({
    desk: t.hex().notNull(),
    offerId: t.bigint().notNull(),
    eventId: t.text().notNull(),
    token: t.hex().notNull(),
    escrowAddress: t.hex().notNull(),
    onchainId: t.bigint().notNull(),
    seller: t.hex().notNull(),
    buyer: t.hex().notNull(),
    amount: t.bigint().notNull(),
    cost: t.bigint().notNull(),
    blockNumber: t.bigint().notNull(),
    blockTime: t.bigint().notNull(),
    txHash: t.hex().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.desk, table.offerId, table.eventId] }) }),
);

/** Events that do not add up. `docs/anomalies.md` has what the figures make of each kind; none is dropped silently. */
export const anomaly = onchainTable(
  "anomaly",
  (t) => ({
    escrowAddress: t.hex().notNull(),
    onchainId: t.bigint().notNull(),
    eventId: t.text().notNull(),
    kind: t.text().$type<AnomalyKind>().notNull(),
    eventKind: t.text().$type<AnomalySource>().notNull(),
    differences: t.json().$type<Difference[]>().notNull(),
    blockNumber: t.bigint().notNull(),
    blockTime: t.bigint().notNull(),
    txHash: t.hex().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.escrowAddress, table.onchainId, table.eventId, table.kind] }),
    /** the order of the pages and of their cursors */
    byEvent: index().on(table.eventId, table.kind),
    byKind: index().on(table.kind, table.eventId),
  }),
);
