/** @module Rows of the tables and registries, made up for tests that need no chain. */
import { metadataHash } from "../../api/market/metadata.ts";
import type { Registry } from "../../api/registry/schema.ts";
import type { Block } from "../../src/fold/events.ts";
import {
  type LedgerRow,
  type ListingRow,
  type OfferRow,
  type RepaymentRow,
  stubListing,
  type TradeRow,
} from "../../src/fold/state.ts";
import { parseRegistry } from "./parsed-registry.ts";

export const DOLLAR = 10n ** 18n;
export const DAY = 86_400n;
/** 2026-03-01T12:00:00Z, when the made-up heads are. */
export const NOW = 1_772_366_400n;
export const HEAD: Block = { number: 48_211_034n, timestamp: NOW };
export const FINALIZED: Block = { number: HEAD.number - 30n, timestamp: NOW - 30n };
const ESCROW = `0x${"e5".repeat(20)}` as const;
const ORIGINATOR = `0x${"0a".repeat(20)}` as const;

/** A listing as an operator writes it, before it is checked. */
export type EntryDraft = {
  publicId: string;
  originator: string;
  escrowAddress: string;
  onchainId: string;
  title: string;
  description: string;
  terms?: object;
  refnum?: string;
  tokenAddress?: string;
  cover?: string;
};
export type OriginatorDraft = {
  publicId: string;
  legalName: string;
  jurisdiction: string;
  kybStatus: string;
  addresses: string[];
  logo?: string;
  description?: string;
  website?: string;
};

/** A created listing that went live a day ago and closes in ten, with nothing raised yet. */
export function listingRow(overrides: Partial<ListingRow> = {}): ListingRow {
  const onchainId = overrides.onchainId ?? 1n;
  const suffix = onchainId.toString(16).padStart(40, "0");
  return {
    ...stubListing({
      escrowAddress: ESCROW,
      onchainId,
      eventId: onchainId.toString().padStart(75, "0"),
      blockNumber: HEAD.number - 100n,
      blockTime: NOW - 2n * DAY,
      txHash: `0x${"7a".repeat(32)}`,
      logIndex: 0,
      part: 0,
    }),
    createdAt: NOW - 2n * DAY,
    createdBlock: HEAD.number - 100n,
    createdEventId: onchainId.toString().padStart(75, "0"),
    originator: ORIGINATOR,
    token: `0x${suffix.slice(-40)}`,
    refnum: `RB${onchainId.toString().padStart(5, "0")}`,
    metadataHash: metadataHash(entryDraft({ onchainId: onchainId.toString() })),
    targetAmount: 100_000n * DOLLAR,
    minRaise: 50_000n * DOLLAR,
    couponRateBps: 1450,
    insuranceBps: 500,
    tenorDays: 180,
    pricingMode: "fixed",
    goLiveAt: NOW - DAY,
    closeAt: NOW + 10n * DAY,
    ...overrides,
  };
}

export const DESK = `0x${"de".repeat(20)}` as const;
export const SELLER = `0x${"5e".repeat(20)}` as const;
export const BUYER = `0x${"b0".repeat(20)}` as const;

/** An open offer of a hundred tokens of listing 1 at 95% of par, for another day. */
export function offerRow(overrides: Partial<OfferRow> = {}): OfferRow {
  const { token, escrowAddress, onchainId } = listingRow();
  if (token === null) throw new Error("a made-up listing has a token");
  return {
    desk: DESK,
    offerId: 1n,
    token,
    escrowAddress,
    onchainId,
    seller: SELLER,
    amount: 100n * DOLLAR,
    remaining: 100n * DOLLAR,
    priceBps: 9_500n,
    expiresAt: NOW + DAY,
    cancelledAt: null,
    createdAt: NOW - DAY,
    updatedEventId: "1".padStart(75, "0"),
    ...overrides,
  };
}

/** A fill of ten tokens of listing 1 for nine dollars and a half, an hour ago. */
export function tradeRow(overrides: Partial<TradeRow> = {}): TradeRow {
  const { desk, offerId, token, escrowAddress, onchainId, seller } = offerRow();
  const blockTime = overrides.blockTime ?? NOW - 3_600n;
  return {
    desk,
    offerId,
    eventId: blockTime.toString().padEnd(75, "0"),
    token,
    escrowAddress,
    onchainId,
    seller,
    buyer: BUYER,
    amount: 10n * DOLLAR,
    cost: (95n * DOLLAR) / 10n,
    blockNumber: HEAD.number - 1n,
    blockTime,
    txHash: `0x${"7a".repeat(32)}`,
    ...overrides,
  };
}

/** A payment of a hundred dollars of principal and five of interest on listing 1, an hour ago. */
export function repaymentRow(overrides: Partial<RepaymentRow> = {}): RepaymentRow {
  const { escrowAddress, onchainId } = listingRow();
  return {
    escrowAddress,
    onchainId,
    eventId: "1".padStart(75, "0"),
    payer: ORIGINATOR,
    principal: 100n * DOLLAR,
    interest: 5n * DOLLAR,
    outstandingPrincipal: 0n,
    blockNumber: HEAD.number - 1n,
    blockTime: NOW - 3_600n,
    txHash: `0x${"7a".repeat(32)}`,
    ...overrides,
  };
}

/** The columns of a listing's row once its money was drawn, 80,000 dollars for 180 days, of which a hundred are left. */
export const DRAWN = {
  raisedAmount: 80_000n * DOLLAR,
  subscriberCount: 3,
  firstSubscribedAt: NOW - 90n * DAY,
  frozenAt: NOW - 82n * DAY,
  decidedAt: NOW - 82n * DAY,
  closedAt: NOW - 82n * DAY,
  closeAt: NOW - 82n * DAY,
  goLiveAt: NOW - 100n * DAY,
  drawnDownAt: NOW - 80n * DAY,
  drawnAmount: 80_000n * DOLLAR,
  maturityAt: NOW + 100n * DAY,
  outstandingPrincipal: 80_000n * DOLLAR,
} as const;

/** A subscription to listing 2 in the last final block, as the ledger keeps it. */
export function subscribedRow(overrides: Partial<LedgerRow> = {}): LedgerRow {
  const backer = `0x${"b1".repeat(20)}`;
  return {
    escrowAddress: ESCROW,
    onchainId: 2n,
    eventId: "1".repeat(75),
    kind: "subscribed",
    blockNumber: FINALIZED.number,
    blockTime: FINALIZED.timestamp,
    txHash: `0x${"7a".repeat(32)}`,
    logIndex: 4,
    part: 0,
    args: { backer, payer: backer, amount: "100", bidRateBps: 0, totalRaised: "100" },
    ...overrides,
  };
}

/** A listing of the registry that is published for `listingRow` of the same `onchainId`. */
export function entryDraft(overrides: Partial<EntryDraft> = {}): EntryDraft {
  const onchainId = overrides.onchainId ?? "1";
  return {
    publicId: `lst_${onchainId}`,
    originator: "org_northwind",
    escrowAddress: ESCROW,
    onchainId,
    title: `Raise ${onchainId}`,
    description: "Working capital for a bakery.\n\nA second oven.",
    ...overrides,
  };
}

/** The originator of every `entryDraft`: approved, and the creator of every made-up row. */
export function business(overrides: Partial<OriginatorDraft> = {}): OriginatorDraft {
  return {
    publicId: "org_northwind",
    legalName: "Northwind Bakery Pte. Ltd.",
    jurisdiction: "SG",
    kybStatus: "approved",
    addresses: [ORIGINATOR],
    ...overrides,
  };
}

/** The registry that the service would make of these drafts. */
export function registryOf(
  listings: readonly EntryDraft[],
  originators: readonly OriginatorDraft[] = [business()],
): Registry {
  return parseRegistry(Buffer.from(JSON.stringify({ originators, listings })));
}

/** A raise in each of the seven states, one without a closing time, and two that were never published. */
export function everyState(): { rows: ListingRow[]; registry: Registry } {
  const raised = { raisedAmount: 80_000n * DOLLAR, subscriberCount: 3, firstSubscribedAt: NOW - DAY };
  const frozen = { ...raised, frozenAt: NOW - DAY, decidedAt: NOW - DAY, closedAt: NOW - DAY };
  const drawn = {
    ...frozen,
    drawnDownAt: NOW - 200n * DAY,
    drawnAmount: 80_000n * DOLLAR,
    maturityAt: NOW - 20n * DAY,
    outstandingPrincipal: 80_000n * DOLLAR,
    goLiveAt: NOW - 230n * DAY,
    closeAt: NOW - 201n * DAY,
  };
  const settled = { terminalKind: "settled", terminalAt: NOW - 20n * DAY, outcome: "repaid" } as const;
  const repaid = {
    ...drawn,
    ...settled,
    outstandingPrincipal: 0n,
    repaidPrincipal: 80_000n * DOLLAR,
    repaidInterest: 5_000n * DOLLAR,
    writtenOffPrincipal: 0n,
    clearedAt: NOW - 20n * DAY,
  };
  const rows = [
    listingRow({ onchainId: 1n, closeAt: null }),
    listingRow({ onchainId: 2n, ...raised }),
    listingRow({ onchainId: 3n, ...drawn, pricingMode: "auction", closedCouponRateBps: 1212 }),
    listingRow({ onchainId: 4n, ...repaid }),
    listingRow({ onchainId: 5n, ...frozen, raisedAmount: DOLLAR, refundedAmount: DOLLAR }),
    listingRow({ onchainId: 6n, ...frozen, terminalKind: "voided", terminalAt: NOW - DAY / 2n }),
    listingRow({ onchainId: 7n, refnum: "OLD00007", terminalKind: "cancelled", terminalAt: NOW - DAY / 2n }),
    listingRow({ onchainId: 8n, ...repaid }),
    listingRow({ onchainId: 98n, originator: `0x${"9a".repeat(20)}` }),
    listingRow({ onchainId: 99n, originator: `0x${"9a".repeat(20)}` }),
  ];
  const published = rows.slice(0, 8).map(({ onchainId }) => entryDraft({ onchainId: onchainId.toString() }));
  const unverified = business({
    publicId: "org_unverified",
    legalName: "Tide\u202EPools",
    kybStatus: "in_review",
    addresses: [],
  });
  const drafts = published.map((draft, index) =>
    index < 2 ? { ...draft, originator: "org_unverified" } : draft,
  );
  return { rows, registry: registryOf(drafts, [business(), unverified]) };
}
