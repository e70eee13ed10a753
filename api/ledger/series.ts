/**
 * Money over time on one listing: what happened in spans of time, and the running totals of that. Pure.
 * @module
 */
import { MAX_UINT256 } from "../../src/fold/rules.ts";
import type { Checkpoint } from "../database/checkpoint.ts";

export type SeriesQuery = {
  /** up to this block, inclusive: the head of what the sums are shown beside */
  until: { block: bigint };
  /** the span that is cut into buckets; unix seconds, both inclusive. Events outside of it count at its ends */
  from: bigint;
  to: bigint;
  /** at most so many buckets: never shorter than a second */
  points: number;
};

/** What happened in one span of time. Base units. */
export type MoneyBucket = {
  /** unix seconds, inclusive */
  start: bigint;
  /** unix seconds; exclusive, but for the last bucket's */
  end: bigint;
  /** what `raisedAmount` changed by: subscriptions less withdrawn and outbid money. Below 0 where more was taken back */
  committed: bigint;
  /** every refund, whatever the reason */
  refunded: bigint;
  repaidPrincipal: bigint;
  repaidInterest: bigint;
};

/** Buckets without a gap, oldest first, of everything up to the block asked for. */
export type ListingSeries = { progress: Checkpoint; buckets: readonly MoneyBucket[] };

/** What had been committed, refunded and repaid up to a moment. Base units. */
export type MoneyPoint = {
  /** unix seconds */
  at: bigint;
  /** as `raisedAmount`: stands still from the close on */
  committed: bigint;
  /** as `refundedAmount` */
  refunded: bigint;
  /** as `repaidAmount`: principal and interest */
  repaid: bigint;
};

/** A listing's figures at the block of the series, as the `Market` has them: decimal strings, base units. */
export type BookFigures = { raisedAmount: string; refundedAmount: string; repaidAmount: string };

export type MoneyOverTime = {
  /** oldest first; begins with nothing at the start of the first bucket */
  points: readonly MoneyPoint[];
  /** whether the events alone come to the book's figures; false only where the chain contradicts itself */
  agrees: boolean;
};

/**
 * The running totals at the start of the first bucket and at each bucket's end. The last point is always the book's:
 * where the chain's own totals differ from the sum of its events, the book has followed them, and so does the end.
 */
export function cumulative(buckets: readonly MoneyBucket[], book: BookFigures): MoneyOverTime {
  const points: MoneyPoint[] = [];
  const [first] = buckets;
  if (first !== undefined) points.push({ at: first.start, committed: 0n, refunded: 0n, repaid: 0n });
  let committed = 0n;
  let refunded = 0n;
  let principal = 0n;
  let interest = 0n;
  for (const bucket of buckets) {
    committed += bucket.committed;
    refunded += bucket.refunded;
    principal += bucket.repaidPrincipal;
    interest += bucket.repaidInterest;
    points.push({
      at: bucket.end,
      committed: within(committed),
      refunded: within(refunded),
      repaid: within(principal) + within(interest),
    });
  }
  const summed = points.pop();
  if (summed === undefined) return { points, agrees: true };
  const last = {
    at: summed.at,
    committed: BigInt(book.raisedAmount),
    refunded: BigInt(book.refundedAmount),
    repaid: BigInt(book.repaidAmount),
  };
  const agrees =
    last.committed === summed.committed && last.refunded === summed.refunded && last.repaid === summed.repaid;
  return { points: [...points, last], agrees };
}

/** As the book keeps a sum: a uint256. */
function within(sum: bigint): bigint {
  if (sum < 0n) return 0n;
  return sum > MAX_UINT256 ? MAX_UINT256 : sum;
}
