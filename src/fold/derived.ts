/**
 * The lifecycle of a raise whose contracts have no event for a part of it: what such an event would say is derived.
 *
 * Pure and total, like the fold. The tables have nothing of this: they follow from the chain alone. The projection folds such a
 * raise again, with the terms that the registry gives as a first event.
 * @module
 */
import { zeroHash } from "viem";
import type { Terms } from "./event-kinds.ts";
import type { LocatedEvent, Provenance } from "./events.ts";
import { backerOf, type FoldResult, fold } from "./fold.ts";
import { freeze } from "./handler.ts";
import { DAY } from "./lifecycle.ts";
import { closingTimePassed, minimumMet, outstandingPrincipal, repaymentTolerance } from "./rules.ts";
import {
  EMPTY_POSITION,
  type ListingPatch,
  type ListingRow,
  type MoneyDeltas,
  NO_DELTAS,
  type PositionAmounts,
  stubListing,
} from "./state.ts";
import type { AnomalyKind, EventKind } from "./vocabulary.ts";

/** The kinds of events that no contract of a market emits. Their effect is derived. */
export type Lifecycle = {
  /** `listing_created`: a raise exists once the registry names it */
  readonly derivesCreation: boolean;
  /** `listing_closed`: it closes at its closing time */
  readonly derivesClose: boolean;
  /** … and in the block that reaches its target */
  readonly closesAtTarget: boolean;
  /** `drawn_down`: at the close, what was raised is owed, if the minimum was met */
  readonly derivesDrawdown: boolean;
  /** `listing_settled`: repaid, in the block in which nothing is owed any more */
  readonly derivesSettlement: boolean;
};

/** The lifecycle of contracts that emit an event for every change: nothing is derived. */
export const NOTHING_DERIVED: Lifecycle = {
  derivesCreation: false,
  derivesClose: false,
  closesAtTarget: false,
  derivesDrawdown: false,
  derivesSettlement: false,
};

/** The kinds of events by which a lifecycle is told. */
export const LIFECYCLE_KINDS: readonly EventKind[] = [
  "listing_created",
  "listing_closed",
  "drawn_down",
  "listing_settled",
];

/** The lifecycle of contracts that emit these kinds of events alone. */
export function lifecycleOf(emitted: { has(kind: EventKind): boolean }, closesAtTarget: boolean): Lifecycle {
  return {
    derivesCreation: !emitted.has("listing_created"),
    derivesClose: !emitted.has("listing_closed"),
    closesAtTarget: closesAtTarget && !emitted.has("listing_closed"),
    derivesDrawdown: !emitted.has("drawn_down"),
    derivesSettlement: !emitted.has("listing_settled"),
  };
}

/** Anomalies that the chain alone cannot show: it never tells of a creation, or of a drawdown. */
export function unknowable({ derivesCreation, derivesDrawdown }: Lifecycle): ReadonlySet<AnomalyKind> {
  return new Set<AnomalyKind>([
    ...(derivesCreation ? (["unknown_listing"] as const) : []),
    ...(derivesDrawdown ? (["repaid_before_drawdown"] as const) : []),
  ]);
}

/** Whether every raise has to be folded again. */
export function derivesEvents(lifecycle: Lifecycle): boolean {
  return lifecycle.derivesClose || lifecycle.derivesDrawdown || lifecycle.derivesSettlement;
}

/** Whether a raise without a closing time never closes: no event says when, and reaching the target does not close it. */
export function closesByTimeAlone({ derivesClose, closesAtTarget }: Lifecycle): boolean {
  return derivesClose && !closesAtTarget;
}

/** Whether the chain gives less than all terms of a raise. A missing closing time does not count: such a raise has none. */
export function lacksTerms(terms: GivenTerms): boolean {
  return REQUIRED_TERMS.some((name) => terms[name] == null);
}

/** Terms of which some may not be given. */
export type GivenTerms = { readonly [Name in keyof Terms]?: Terms[Name] | null };

/** Without any of these a raise cannot be shown. */
export const REQUIRED_TERMS = [
  "targetAmount",
  "minRaise",
  "couponRateBps",
  "insuranceBps",
  "tenorDays",
  "pricingMode",
  "goLiveAt",
] as const satisfies readonly (keyof Terms)[];

/** Before every event of the chain. */
const FROM_THE_REGISTRY = {
  eventId: "",
  blockNumber: 0n,
  blockTime: 0n,
  txHash: zeroHash,
  logIndex: 0,
  part: 0,
};

/** Whether the chain has told anything of a raise: before that its last change has no time and no block. */
export function hasEvents({ updatedEventId }: Readonly<Pick<ListingRow, "updatedEventId">>): boolean {
  return updatedEventId !== FROM_THE_REGISTRY.eventId;
}

/** A raise before its first event of the chain: with the registry's terms, or without any (null). No block created it. */
export function beginning(
  pair: Pick<Provenance, "escrowAddress" | "onchainId">,
  terms: Terms | null,
): ListingRow {
  const at = { ...FROM_THE_REGISTRY, ...pair };
  const stub = stubListing(at);
  if (terms === null) return stub;
  const args = { originator: null, token: null, refnum: null, metadataHash: null, terms };
  const created = fold(
    { listing: null, position: null, tokenOwner: null },
    { kind: "listing_created", args, at },
  );
  return { ...stub, ...created.listing, createdAt: null, createdBlock: null };
}

/** A change of a raise's money that the ledger's columns do not have. Signed, base units; the time in unix seconds. */
export type Correction = MoneyDeltas & {
  kind: EventKind;
  /** null for a change by time alone: it is of the first block at or after `blockTime` */
  blockNumber: bigint | null;
  blockTime: bigint;
};

/** The raise and the backer's position before an event; the position is null for a new backer and an event without one. */
export type DerivedState = {
  readonly listing: Readonly<ListingRow>;
  readonly position: Readonly<PositionAmounts> | null;
};

export type DerivedResult = Pick<FoldResult, "typed"> & {
  readonly listing: ListingRow;
  readonly position: PositionAmounts | null;
  readonly corrections: readonly Correction[];
};

/** Folds one event with what is derived before and after it. @param stored the event's deltas in the ledger */
export function foldDerived(
  state: DerivedState,
  event: LocatedEvent,
  stored: MoneyDeltas,
  lifecycle: Lifecycle,
): DerivedResult {
  const { blockTime, blockNumber } = event.at;
  const before = derivedAt(withoutCreation(state.listing, event), blockTime, lifecycle);
  const { position } = state;
  const result = fold({ listing: before, position, tokenOwner: null }, event);
  const folded = { ...before, ...result.listing };
  const after = derivedAt(folded, blockTime, lifecycle);
  return {
    listing: after,
    position: backerOf(event) === null ? position : { ...EMPTY_POSITION, ...position, ...result.position },
    typed: result.typed,
    corrections: [
      ...derivedChange(state.listing, before, { blockNumber: null, blockTime }),
      ...corrected(event, stored, result.deltas),
      ...derivedChange(folded, after, { blockNumber, blockTime }),
    ],
  };
}

/** The raise at a time (unix seconds) not before its last event, derived facts included. The same object if there are none. */
export function derivedAt(
  row: Readonly<ListingRow>,
  time: bigint,
  { derivesClose, closesAtTarget, derivesDrawdown, derivesSettlement }: Lifecycle,
): Readonly<ListingRow> {
  let next = row;
  const add = (patch: ListingPatch | null) => {
    if (patch !== null) next = { ...next, ...patch };
  };
  if (derivesClose || derivesDrawdown) add(frozen(next, time, closesAtTarget));
  if (derivesClose) add(closed(next));
  if (derivesDrawdown) add(drawn(next));
  if (derivesSettlement) add(settled(next, time));
  return next;
}

/** What the raise owes from one moment to the next by a derived fact. */
export function derivedChange(
  before: Readonly<ListingRow>,
  after: Readonly<ListingRow>,
  { blockNumber, blockTime }: { blockNumber: bigint | null; blockTime: bigint },
): Correction[] {
  const outstanding = outstandingPrincipal(after) - outstandingPrincipal(before);
  if (outstanding === 0n) return [];
  const deltas = { ...NO_DELTAS, outstanding };
  if (before.drawnAmount === after.drawnAmount)
    return [{ ...deltas, kind: "listing_settled", blockNumber, blockTime }];
  const at = before.drawnAmount === null ? (after.drawnDownAt ?? blockTime) : blockTime;
  return [{ ...deltas, kind: "drawn_down", blockNumber, blockTime: at }];
}

function corrected({ kind, at }: LocatedEvent, stored: MoneyDeltas, derived: MoneyDeltas): Correction[] {
  const difference = (name: keyof MoneyDeltas) => {
    const change = (derived[name] ?? 0n) - (stored[name] ?? 0n);
    return change === 0n ? null : change;
  };
  const deltas = {
    committed: difference("committed"),
    refunded: difference("refunded"),
    repaidPrincipal: difference("repaidPrincipal"),
    repaidInterest: difference("repaidInterest"),
    outstanding: difference("outstanding"),
  };
  const isSame = Object.values(deltas).every((change) => change === null);
  return isSame ? [] : [{ ...deltas, kind, blockNumber: at.blockNumber, blockTime: at.blockTime }];
}

/**
 * The first creation on the chain takes the place of the registry's: terms that it gives count from then on. The registry's closing
 * time closes nothing in that block if the chain gives another, or all other terms: then there is none.
 */
function withoutCreation(row: Readonly<ListingRow>, { kind, args }: LocatedEvent): Readonly<ListingRow> {
  if (kind !== "listing_created" || row.createdEventId !== FROM_THE_REGISTRY.eventId) return row;
  const { terms } = args;
  const isTold = terms.closeAt !== undefined || REQUIRED_TERMS.every((name) => terms[name] !== undefined);
  return { ...row, createdEventId: null, ...(isTold && { closeAt: null }) };
}

function frozen(row: Readonly<ListingRow>, time: bigint, closesAtTarget: boolean): ListingPatch | null {
  const { frozenAt, closeAt, targetAmount, raisedAmount } = row;
  if (frozenAt !== null) return null;
  if (closingTimePassed(closeAt, time)) return freeze(row, closeAt);
  const isFilled = targetAmount !== null && raisedAmount > 0n && raisedAmount >= targetAmount;
  return closesAtTarget && isFilled ? freeze(row, time) : null;
}

function closed({
  frozenAt,
  closedAt,
  closeAt,
  terminalKind,
  couponRateBps,
}: Readonly<ListingRow>): ListingPatch | null {
  if (frozenAt === null || closedAt !== null || terminalKind !== null) return null;
  const closeReason = frozenAt === closeAt ? "deadline" : "filled";
  return { closedAt: frozenAt, closeReason, closedCouponRateBps: couponRateBps };
}

const NOT_DRAWN = {
  drawnDownAt: null,
  drawnAmount: null,
  drawdownFee: null,
  maturityAt: null,
  clearedAt: null,
  outstandingPrincipal: 0n,
};

/**
 * What was raised counts as drawn from the close on. It follows the raised amount, which an auction's own close may still fix, and
 * is taken back if that misses the minimum, or if the raise is cancelled or voided: then nothing was lent.
 */
function drawn(row: Readonly<ListingRow>): ListingPatch | null {
  const { frozenAt, decidedAt, terminalKind, drawnAmount, raisedAmount, minRaise, tenorDays } = row;
  const isUndone = terminalKind === "cancelled" || terminalKind === "voided";
  if (frozenAt === null || isUndone || !minimumMet(raisedAmount, minRaise))
    return drawnAmount === null ? null : NOT_DRAWN;
  if (drawnAmount === raisedAmount) return null;
  if (drawnAmount !== null) {
    const owed = row.outstandingPrincipal + raisedAmount - drawnAmount;
    return { drawnAmount: raisedAmount, outstandingPrincipal: owed > 0n ? owed : 0n };
  }
  if (terminalKind !== null) return null;
  const drawnDownAt = decidedAt ?? frozenAt;
  return {
    drawnDownAt,
    drawnAmount: raisedAmount,
    drawdownFee: 0n,
    maturityAt: tenorDays === null ? null : drawnDownAt + BigInt(tenorDays) * DAY,
    outstandingPrincipal: raisedAmount,
    ...(raisedAmount <= repaymentTolerance(raisedAmount) && { clearedAt: drawnDownAt }),
  };
}

function settled(row: Readonly<ListingRow>, time: bigint): ListingPatch | null {
  if (row.terminalKind !== null || row.drawnAmount === null || row.outstandingPrincipal > 0n) return null;
  const ending = { terminalKind: "settled", outcome: "repaid", writtenOffPrincipal: 0n } as const;
  return { ...ending, terminalAt: time, ...freeze(row, time) };
}
