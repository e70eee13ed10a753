/** @module Money over time on one listing: the sums of spans of time, and running totals. Pure. */
import type { Correction } from "../../src/fold/derived.ts";
import type { Checkpoint } from "../database/checkpoint.ts";

export type SeriesQuery = {
  /** the last block, inclusive: the head of the market that the sums are shown with */
  until: { block: bigint };
  /** the span that is cut into buckets; unix seconds, both inclusive. Events outside of it count at its ends */
  from: bigint;
  to: bigint;
  /** the most buckets; none is shorter than a second */
  points: number;
};

/** The sums of the ledger's deltas in one span of time. Base units. */
export type MoneyBucket = {
  /** unix seconds, inclusive */
  start: bigint;
  /** unix seconds; exclusive, but for the last bucket's */
  end: bigint;
  /** the change of `raisedAmount`; below 0 where more was withdrawn or outbid than subscribed */
  committed: bigint;
  /** every refund, whatever the reason */
  refunded: bigint;
  repaidPrincipal: bigint;
  repaidInterest: bigint;
};

/** Buckets without a gap, oldest first, of every event up to the queried block. */
export type ListingSeries = { progress: Checkpoint; buckets: readonly MoneyBucket[] };

/** A listing's figures at a time. Base units. */
export type MoneyPoint = {
  /** unix seconds */
  at: bigint;
  /** `raisedAmount`: fixed from the close on */
  committed: bigint;
  /** `refundedAmount` */
  refunded: bigint;
  /** `repaidAmount`: principal and interest */
  repaid: bigint;
};

/** Adds what the ledger's deltas lack, each to the bucket of its time. */
export function withCorrections(
  buckets: readonly MoneyBucket[],
  corrections: readonly Correction[],
): readonly MoneyBucket[] {
  if (corrections.length === 0) return buckets;
  const corrected = [...buckets];
  for (const { blockTime, ...change } of corrections) {
    const index = Math.max(
      0,
      corrected.findLastIndex(({ start }) => start <= blockTime),
    );
    const bucket = corrected[index];
    if (bucket === undefined) continue;
    corrected[index] = {
      ...bucket,
      committed: bucket.committed + (change.committed ?? 0n),
      refunded: bucket.refunded + (change.refunded ?? 0n),
      repaidPrincipal: bucket.repaidPrincipal + (change.repaidPrincipal ?? 0n),
      repaidInterest: bucket.repaidInterest + (change.repaidInterest ?? 0n),
    };
  }
  return corrected;
}

/** The running totals at the start of the first bucket, which are zero, and at each bucket's end; oldest first. */
export function cumulative(buckets: readonly MoneyBucket[]): MoneyPoint[] {
  const [first] = buckets;
  if (first === undefined) return [];
  let total: MoneyPoint = { at: first.start, committed: 0n, refunded: 0n, repaid: 0n };
  return [
    total,
    ...buckets.map(({ end, committed, refunded, repaidPrincipal, repaidInterest }) => {
      total = {
        at: end,
        committed: total.committed + committed,
        refunded: total.refunded + refunded,
        repaid: total.repaid + repaidPrincipal + repaidInterest,
      };
      return total;
    }),
  ];
}
