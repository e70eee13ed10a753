import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BlockOrTime } from "../../config/format/time.ts";
import type { Correction } from "../../src/fold/derived.ts";
import { cumulative, type MoneyBucket, withCorrections } from "./series.ts";
import {
  activityOf,
  ChainSilentError,
  type ListingKindSums,
  spanTimesOf,
  sumsOfCorrections,
} from "./sums.ts";

const amount = fc.oneof(fc.bigInt(0n, 1_000n), fc.bigInt(0n, 2n ** 256n - 1n));
const buckets = fc
  .array(
    fc.record({ committed: amount, refunded: amount, repaidPrincipal: amount, repaidInterest: amount }),
    { minLength: 1, maxLength: 60 },
  )
  .map((sums) =>
    sums.map(
      (sum, index): MoneyBucket => ({ start: BigInt(index) * 10n, end: BigInt(index + 1) * 10n, ...sum }),
    ),
  );

describe("running totals", () => {
  it("begin with nothing, never fall without a withdrawal, and end in the sums", () => {
    fc.assert(
      fc.property(buckets, (own) => {
        const points = cumulative(own);
        const sum = (of: (bucket: MoneyBucket) => bigint) =>
          own.reduce((total, bucket) => total + of(bucket), 0n);
        expect(points).toHaveLength(own.length + 1);
        expect(points[0]).toEqual({ at: 0n, committed: 0n, refunded: 0n, repaid: 0n });
        expect(points.at(-1)).toEqual({
          at: BigInt(own.length) * 10n,
          committed: sum(({ committed }) => committed),
          refunded: sum(({ refunded }) => refunded),
          repaid: sum(({ repaidPrincipal, repaidInterest }) => repaidPrincipal + repaidInterest),
        });
        for (const [index, point] of points.slice(1).entries()) {
          const before = points[index] ?? point;
          expect(point.at).toBeGreaterThan(before.at);
          for (const key of ["committed", "refunded", "repaid"] as const)
            expect(point[key]).toBeGreaterThanOrEqual(before[key]);
        }
      }),
    );
  });

  it("fall where money was taken back before the close", () => {
    const none = { refunded: 0n, repaidPrincipal: 0n, repaidInterest: 0n };
    const points = cumulative([
      { ...none, start: 0n, end: 10n, committed: 100n },
      { ...none, start: 10n, end: 20n, committed: -30n, refunded: 30n },
    ]);
    expect(points.map(({ committed }) => committed)).toEqual([0n, 100n, 70n]);
  });

  it("have no points without periods", () => {
    expect(cumulative([])).toEqual([]);
  });
});

describe("what the ledger's deltas lack", () => {
  const none = {
    committed: null,
    refunded: null,
    repaidPrincipal: null,
    repaidInterest: null,
    outstanding: null,
  };
  const corrections: readonly Correction[] = [
    { ...none, kind: "refunded", committed: 7n, blockNumber: 3n, blockTime: 12n },
    { ...none, kind: "repaid", repaidPrincipal: 5n, repaidInterest: -5n, blockNumber: 8n, blockTime: 30n },
    { ...none, kind: "drawn_down", outstanding: 90n, blockNumber: null, blockTime: 35n },
  ];

  it("goes to the bucket of its time, outside of the span to the first or the last", () => {
    const bucket = { committed: 1n, refunded: 1n, repaidPrincipal: 1n, repaidInterest: 6n };
    const buckets = [
      { ...bucket, start: 15n, end: 20n },
      { ...bucket, start: 20n, end: 25n },
    ];
    expect(withCorrections(buckets, corrections)).toEqual([
      { ...buckets[0], committed: 8n },
      { ...buckets[1], repaidPrincipal: 6n, repaidInterest: 1n },
    ]);
    const atStart = { ...none, kind: "refunded", committed: 7n, blockNumber: 3n, blockTime: 20n } as const;
    expect(withCorrections(buckets, [atStart])).toEqual([buckets[0], { ...buckets[1], committed: 8n }]);
    expect(withCorrections(buckets, [])).toBe(buckets);
  });

  it("is summed within a span of blocks or times, and counts as no event", async () => {
    const pair = { escrowAddress: `0x${"e1".repeat(20)}`, onchainId: "1" };
    // Blocks 7 and 8 are of one second, 30; block 9 is the first one at or after 35.
    const timeOf = async (block: bigint) =>
      [0n, 5n, 9n, 12n, 14n, 20n, 25n, 30n, 30n, 37n, 40n][Number(block)] ?? null;
    const kindsIn = async (since: BlockOrTime, until: BlockOrTime, cutAt: bigint | null = null) => {
      const times = await spanTimesOf({ since, until }, timeOf);
      const found = sumsOfCorrections(pair, corrections, { since, until, cutAt, times });
      return found.map(({ kind, events }) => `${events} ${kind}`);
    };
    const [block, time] = [(block: bigint) => ({ block }), (time: bigint) => ({ time })];
    expect(await kindsIn(block(0n), block(10n))).toEqual(["0 refunded", "0 repaid", "0 drawn_down"]);
    expect(await kindsIn(block(8n), block(9n))).toEqual(["0 repaid", "0 drawn_down"]);
    expect(await kindsIn(block(9n), block(9n))).toEqual(["0 drawn_down"]);
    expect(await kindsIn(block(0n), block(8n))).toEqual(["0 refunded", "0 repaid"]);
    expect(await kindsIn(block(10n), block(10n))).toEqual([]);
    expect(await kindsIn(time(30n), block(10n))).toEqual(["0 repaid", "0 drawn_down"]);
    expect(await kindsIn(time(12n), time(30n), 12n)).toEqual(["0 repaid"]);
    await expect(kindsIn(block(99n), time(99n))).rejects.toThrow(ChainSilentError);
  });
});

describe("the activity of a span", () => {
  it("nets the rows of a kind of one listing, and never those of two listings or kinds", () => {
    const rowOf = (onchainId: bigint, kind: ListingKindSums["kind"], change: Partial<ListingKindSums>) => ({
      ...{ escrowAddress: "0xe5", onchainId, kind, events: 1, committed: 0n, refunded: 0n },
      ...{ repaidPrincipal: 0n, repaidInterest: 0n, outstanding: 0n },
      ...change,
    });
    const rows = [
      rowOf(1n, "listing_closed", { committed: -3n }),
      rowOf(1n, "listing_closed", { committed: 1n, events: 0 }),
      rowOf(2n, "listing_closed", { committed: 4n }),
      rowOf(2n, "refunded", { committed: -4n, refunded: 9n }),
      rowOf(2n, "drawn_down", { outstanding: 50n }),
      // A foreign contract may say that more is owed after a payment.
      rowOf(2n, "repaid", { outstanding: 5n, repaidInterest: 2n }),
      rowOf(3n, "subscribed", { committed: 100n }),
    ] as ListingKindSums[];
    expect(activityOf(rows, { has: ({ onchainId }) => onchainId < 3n })).toEqual({
      ...{ events: 5, byKind: { listing_closed: 2, refunded: 1, drawn_down: 1, repaid: 1 } },
      ...{ committed: 4n, withdrawn: 6n, refunded: 9n, drawn: 50n, repaidPrincipal: 0n, repaidInterest: 2n },
    });
  });
});
