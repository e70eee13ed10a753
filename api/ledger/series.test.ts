import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cumulative, type MoneyBucket } from "./series.ts";

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

  it("of nothing are no points", () => {
    expect(cumulative([])).toEqual([]);
  });
});
