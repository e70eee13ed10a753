/** @module Sums of a span of time by kind of event. Pure. */
import type { BlockOrTime } from "../../config/format/time.ts";
import type { Correction } from "../../src/fold/derived.ts";
import { EVENT_KINDS, type EventKind } from "../../src/fold/vocabulary.ts";
import type { Checkpoint } from "../database/checkpoint.ts";
import { type Pair, pairKey, pairOf } from "../registry/schema.ts";
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
export type ListingKindSums = KindSums & Pair & { kind: EventKind };

/** When there are too many events, only the newest are summed: those after `cutAt`, unix seconds. */
export type LedgerSums = {
  progress: Checkpoint;
  rows: readonly ListingKindSums[];
  cutAt: bigint | null;
  /** The time of a block, unix seconds; null while the chain does not tell it. */
  timeOf(block: bigint): Promise<bigint | null>;
};

/**
 * The corrections of a span that are missing from the ledger's deltas, as further sums that count no events.
 * @param times the span in unix seconds, both ends inclusive, for changes by time alone, which have no block; null leaves these out
 */
export function sumsOfCorrections(
  listing: { escrowAddress: string; onchainId: string },
  corrections: readonly Correction[],
  { since, until, cutAt, times }: SumsQuery & Pick<LedgerSums, "cutAt"> & { times: SpanTimes | null },
): ListingKindSums[] {
  const pair = pairOf(listing);
  return corrections
    .filter(({ blockNumber, blockTime }) => {
      if (cutAt !== null && blockTime <= cutAt) return false;
      if (blockNumber === null) return times !== null && blockTime >= times.since && blockTime <= times.until;
      if ("block" in since ? blockNumber < since.block : blockTime < since.time) return false;
      return "block" in until ? blockNumber <= until.block : blockTime <= until.time;
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

export function isByTimeAlone({ blockNumber }: Correction): boolean {
  return blockNumber === null;
}

type SpanTimes = { since: bigint; until: bigint };

/** The times of a span's blocks are not known. */
export class ChainSilentError extends Error {
  override readonly name = "ChainSilentError";
}

/**
 * The span as times. A change by time alone is of the first block at or after its time.
 * @throws {ChainSilentError} while the chain does not tell them
 */
export async function spanTimesOf(
  { since, until }: SumsQuery,
  timeOf: LedgerSums["timeOf"],
): Promise<SpanTimes> {
  const known = async (block: bigint) => {
    const time = await timeOf(block);
    if (time === null) throw new ChainSilentError(`the time of block ${block} is not known`);
    return time;
  };
  const first = "time" in since ? since.time : since.block === 0n ? 0n : (await known(since.block - 1n)) + 1n;
  return { since: first, until: "time" in until ? until.time : await known(until.block) };
}

export type ActivitySums = {
  events: number;
  /** the number of events of each kind that happened, in the order of the vocabulary */
  byKind: Partial<Record<EventKind, number>>;
  /** base units; before withdrawals, as in the series */
  committed: bigint;
  /** withdrawn or outbid: a part of `refunded` */
  withdrawn: bigint;
  refunded: bigint;
  drawn: bigint;
  repaidPrincipal: bigint;
  repaidInterest: bigint;
};

export function activityOf(
  rows: readonly ListingKindSums[],
  listings: Pick<ListingSet, "has">,
): ActivitySums {
  const own = rows.filter((row) => listings.has(row));
  const total = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);
  const sum = (amountOf: (row: ListingKindSums) => bigint) => total(own.map(amountOf));
  const count = (some: readonly ListingKindSums[]) => some.reduce((total, { events }) => total + events, 0);
  const ofKind = (kind: EventKind) => own.filter((row) => row.kind === kind);
  // Corrections are further rows of the kind that they correct.
  const changes = [...Map.groupBy(own, (row) => `${pairKey(row)} ${row.kind}`).values()].map((rows) =>
    total(rows.map(({ committed }) => committed)),
  );
  const counts = EVENT_KINDS.map((kind) => [kind, count(ofKind(kind))] as const);
  return {
    events: count(own),
    byKind: Object.fromEntries(counts.filter(([, events]) => events > 0)),
    committed: total(changes.filter((change) => change > 0n)),
    withdrawn: -total(changes.filter((change) => change < 0n)),
    refunded: sum(({ refunded }) => refunded),
    drawn: sum(({ kind, outstanding }) => (kind === "drawn_down" ? outstanding : 0n)),
    repaidPrincipal: sum(({ repaidPrincipal }) => repaidPrincipal),
    repaidInterest: sum(({ repaidInterest }) => repaidInterest),
  };
}
