/** @module Sums of a span of time by kind of event. Pure. */
import type { Hex } from "viem";
import type { BlockOrTime } from "../../config/format/time.ts";
import type { Correction } from "../../src/fold/derived.ts";
import { EVENT_KINDS, type EventKind } from "../../src/fold/vocabulary.ts";
import type { Checkpoint } from "../database/checkpoint.ts";
import type { ListingSet } from "./read-events.ts";

export type SumsQuery = {
  /** both inclusive */
  since: BlockOrTime;
  until: BlockOrTime;
};

/** Amounts are base units. */
type KindSums = {
  events: number;
  /** the change of `raisedAmount`; below 0 where more was withdrawn or outbid than subscribed */
  committed: bigint;
  refunded: bigint;
  repaidPrincipal: bigint;
  repaidInterest: bigint;
  /** the change of the debt: above 0 at a drawdown, below 0 at a repayment or a loss */
  outstanding: bigint;
};

/** The sums of one kind of event of one listing. */
export type ListingKindSums = KindSums & { escrowAddress: Hex; onchainId: bigint; kind: EventKind };

/** When there are too many events, only the newest are summed: those after `cutAt`, unix seconds. */
export type LedgerSums = { progress: Checkpoint; rows: readonly ListingKindSums[]; cutAt: bigint | null };

/** What the ledger's deltas lack in a span, as further sums, without events of their own. */
export function sumsOfCorrections(
  { escrowAddress, onchainId }: { escrowAddress: string; onchainId: string },
  corrections: readonly Correction[],
  { since, until, cutAt, head }: SumsQuery & Pick<LedgerSums, "cutAt"> & { head: bigint },
): ListingKindSums[] {
  const pair = { escrowAddress: escrowAddress as Hex, onchainId: BigInt(onchainId) };
  return corrections
    .filter(({ blockNumber, blockTime }) => {
      const block = blockNumber ?? head;
      if (cutAt !== null && blockTime <= cutAt) return false;
      if ("block" in since ? block < since.block : blockTime < since.time) return false;
      return "block" in until ? block <= until.block : blockTime <= until.time;
    })
    .map(({ kind, committed, refunded, repaidPrincipal, repaidInterest, outstanding }) => ({
      ...{ ...pair, kind, events: 0 },
      committed: committed ?? 0n,
      refunded: refunded ?? 0n,
      repaidPrincipal: repaidPrincipal ?? 0n,
      repaidInterest: repaidInterest ?? 0n,
      outstanding: outstanding ?? 0n,
    }));
}

export type ActivitySums = {
  events: number;
  /** the number of events of each kind that happened, in the order of the vocabulary */
  byKind: Partial<Record<EventKind, number>>;
  /** base units; committed is the net change of the amounts raised */
  committed: bigint;
  refunded: bigint;
  drawn: bigint;
  repaidPrincipal: bigint;
  repaidInterest: bigint;
  writtenOff: bigint;
};

export function activityOf(
  rows: readonly ListingKindSums[],
  listings: Pick<ListingSet, "has">,
): ActivitySums {
  const own = rows.filter((row) => listings.has(row));
  const sum = (amountOf: (row: ListingKindSums) => bigint) =>
    own.reduce((total, row) => total + amountOf(row), 0n);
  const count = (some: readonly ListingKindSums[]) => some.reduce((total, { events }) => total + events, 0);
  const ofKind = (kind: EventKind) => own.filter((row) => row.kind === kind);
  const counts = EVENT_KINDS.map((kind) => [kind, count(ofKind(kind))] as const);
  return {
    events: count(own),
    byKind: Object.fromEntries(counts.filter(([, events]) => events > 0)),
    committed: sum(({ committed }) => committed),
    refunded: sum(({ refunded }) => refunded),
    drawn: sum(({ kind, outstanding }) => (kind === "drawn_down" ? outstanding : 0n)),
    repaidPrincipal: sum(({ repaidPrincipal }) => repaidPrincipal),
    repaidInterest: sum(({ repaidInterest }) => repaidInterest),
    writtenOff: sum(({ kind, outstanding }) => (kind === "listing_settled" ? -outstanding : 0n)),
  };
}
