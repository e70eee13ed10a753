/** @module A listing of the interface document: the row of the chain and the entry of the registry, at a time. */

import { isoTime } from "../../config/format/time.ts";
import { stripControl } from "../../config/format/untrusted-text.ts";
import type { PublicSettings } from "../../config/public-settings.ts";
import { hasEvents } from "../../src/fold/derived.ts";
import { outstandingPrincipal } from "../../src/fold/rules.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import type { RegistryListing, RegistryOriginator } from "../registry/schema.ts";
import { shareBps } from "./amount.ts";
import { type BidEvent, indicativeRateBps, isRateOpen } from "./bids.ts";
import { metadataHash } from "./metadata.ts";
import { projectedAmount } from "./pace.ts";
import type { Finality, Grade, Listing, Status } from "./schema.ts";
import { acceptsMoney, hasFailed, repaymentAt, statusAt } from "./status.ts";

export type Offering = {
  row: ListingRow;
  /** all bids of an auction that has not closed, oldest first; null when unknown */
  bids: readonly BidEvent[] | null;
  termsFrom: Listing["termsFrom"];
  entry: RegistryListing;
  originator: RegistryOriginator;
  grade: Grade;
};

/** The time of the listing's state, in unix seconds, and the last block that no reorg can revert. */
export type Moment = { now: bigint; finalized: bigint };

/** A visible listing: the row of the chain, and the listing made of it. */
export type Published = { row: ListingRow; listing: Listing };

/** Whether a reorg can still revert a block. */
export function finalityOf(blockNumber: bigint, finalized: bigint): Finality {
  return blockNumber <= finalized ? "final" : "pending";
}

/** The Listing of the interface document at `now` (unix seconds). @throws when the row lacks what a creation brings */
export function toListing(
  { row, bids, termsFrom, entry, originator, grade }: Offering,
  { now, finalized }: Moment,
  publicSettings: PublicSettings,
): Listing {
  const { status, since } = statusAt(row, now);
  const first: Omit<Listing, LastMember | "metadataVerified"> = {
    publicId: entry.publicId,
    refnum: present(row.refnum, "refnum"),
    title: stripControl(entry.title, { keepLineFeeds: false }),
    description: stripControl(entry.description, { keepLineFeeds: true }),
    status,
    targetAmount: present(row.targetAmount, "targetAmount").toString(),
    minRaise: present(row.minRaise, "minRaise").toString(),
    raisedAmount: row.raisedAmount.toString(),
    couponRateBps: row.closedCouponRateBps ?? present(row.couponRateBps, "couponRateBps"),
    tenorDays: present(row.tenorDays, "tenorDays"),
    insuranceBps: present(row.insuranceBps, "insuranceBps"),
    reserveBalance: row.reserveBalance.toString(),
    pricingMode: present(row.pricingMode, "pricingMode") === "auction" ? "auction" : "fixed",
    goLiveAt: isoTime(present(row.goLiveAt, "goLiveAt")),
    closeAt: isoTimeOrNull(row.closeAt),
    originatorGrade: grade,
    chainId: publicSettings.chainId,
    tokenAddress: row.token,
    escrowAddress: row.escrowAddress,
    subscriberCount: row.subscriberCount,
    onchainId: row.onchainId.toString(),
    couponIsMaximum: isRateOpen(row),
    indicativeRateBps: indicativeRateBps(row, bids),
    acceptsMoney: acceptsMoney(status),
    projectedAmount: projectedAmount(row, status, now)?.toString() ?? null,
    statusSince: isoTime(since),
    refundedAmount: row.refundedAmount.toString(),
    withdrawnAmount: withdrawnAmount(row).toString(),
    returnedAmount: row.returnedPrincipal.toString(),
    refundableAmount: refundableAmount(row, status).toString(),
    drawnAmount: (row.drawnAmount ?? 0n).toString(),
    repaidAmount: (row.repaidPrincipal + row.repaidInterest).toString(),
    outstandingPrincipal: outstandingPrincipal(row).toString(),
    writtenOffAmount: writtenOffAmount(row).toString(),
    drawnDownAt: isoTimeOrNull(row.drawnDownAt),
    maturityAt: isoTimeOrNull(row.maturityAt),
    repayment: repaymentAt(row, now),
    outcome: toOutcome(row.outcome),
    originator: originator.publicId,
    originatorVerified: row.originator !== null && originator.addresses.includes(row.originator),
    originatorOnChain: row.originator !== null,
    url: `${publicSettings.publicUrl}/listings/${entry.publicId}`,
    appUrl: publicSettings.appUrl === null ? null : `${publicSettings.appUrl}/listings/${entry.publicId}`,
  };
  // Added after the getter, to keep the documented order: CSV files have a column for each member.
  const last: Pick<Listing, LastMember> = {
    metadataOnChain: row.metadataHash !== null,
    finality: finalityOf(row.updatedBlock, finalized),
    termsFrom,
    termsUpdates: row.termsUpdates,
    termsUpdatedAt: isoTimeOrNull(row.termsUpdatedAt),
    updatedAt: hasEvents(row) ? isoTime(row.updatedAt) : null,
    updatedBlock: hasEvents(row) ? row.updatedBlock.toString() : null,
  };
  Object.defineProperty(first, SOURCE, { value: { row, entry } });
  Object.defineProperty(first, "metadataVerified", METADATA_VERIFIED);
  return Object.assign(first, last) as Omit<Listing, "metadataVerified"> as Listing;
}

/** The members after `metadataVerified`. */
type LastMember =
  | "metadataOnChain"
  | "finality"
  | "termsFrom"
  | "termsUpdates"
  | "termsUpdatedAt"
  | "updatedAt"
  | "updatedBlock";

const SOURCE = Symbol("source");

/**
 * The hash takes longer than all the rest, and few listings of a large market are ever read. All have the same getter: with one of its
 * own, V8 makes a hash table of each listing. What it reads is a member, as short-lived values of a WeakMap live on until a full collection.
 */
const METADATA_VERIFIED = {
  enumerable: true,
  configurable: true,
  get(this: { [SOURCE]: Pick<Offering, "row" | "entry"> }): boolean {
    const { row, entry } = this[SOURCE];
    return row.metadataHash === metadataHash(entry);
  },
};

/** The interest repaid, base units: `repaidAmount` less the principal drawn is not always that, as a contract may forgive principal. */
export function repaidInterestOf(listing: Listing): bigint {
  return (listing as Listing & { [SOURCE]: Pick<Offering, "row"> })[SOURCE].row.repaidInterest;
}

/**
 * The amount that backers of a failed raise can still claim, base units. `raisedAmount` is fixed at the close, so principal
 * returned since is counted separately; `refundedAmount` will not do, since it includes withdrawals before the close.
 */
export function refundableAmount(
  { raisedAmount, returnedPrincipal }: Pick<ListingRow, "raisedAmount" | "returnedPrincipal">,
  status: Status,
): bigint {
  return hasFailed({ status }) && raisedAmount > returnedPrincipal ? raisedAmount - returnedPrincipal : 0n;
}

/** Refunds that were no returns of a failed raise's money, base units. Contracts can tell a lower total than their events add up to. */
function withdrawnAmount({
  refundedAmount,
  returnedPrincipal,
}: Pick<ListingRow, "refundedAmount" | "returnedPrincipal">): bigint {
  return refundedAmount > returnedPrincipal ? refundedAmount - returnedPrincipal : 0n;
}

/** The principal that was never paid, base units. A loss never exceeds the amount drawn, whatever the settlement says. */
function writtenOffAmount({
  terminalKind,
  writtenOffPrincipal,
  drawnAmount,
}: Pick<ListingRow, "terminalKind" | "writtenOffPrincipal" | "drawnAmount">): bigint {
  if (terminalKind !== "settled") return 0n;
  const [written, drawn] = [writtenOffPrincipal ?? 0n, drawnAmount ?? 0n];
  return written < drawn ? written : drawn;
}

/** The amount raised in basis points of the target, rounded down: above 10000 beyond it, null for a target of 0. */
export function raisedShareBps({
  raisedAmount,
  targetAmount,
}: Pick<Listing, "raisedAmount" | "targetAmount">): number | null {
  return shareBps(BigInt(raisedAmount), BigInt(targetAmount));
}

/** Outcomes without a name in the interface are all `unknown` here; the ledger keeps them apart. */
function toOutcome(outcome: ListingRow["outcome"]): Listing["outcome"] {
  if (outcome === "repaid" || outcome === "repaid_with_reserve" || outcome === "defaulted") return outcome;
  return outcome === null ? null : "unknown";
}

function isoTimeOrNull(seconds: bigint | null): string | null {
  return seconds === null ? null : isoTime(seconds);
}

/** It is an invariant of the fold that a created listing has all of these. */
function present<Value>(value: Value | null, column: string): Value {
  if (value === null) throw new Error(`listing without ${column}`);
  return value;
}
