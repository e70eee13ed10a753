import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cumulative, type MoneyBucket } from "./series.ts";

const amount = fc.oneof(fc.bigInt(0n, 1_000n), fc.bigInt(0n, 2n ** 200n));
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

function bookOf(own: readonly MoneyBucket[]) {
  const sum = (of: (bucket: MoneyBucket) => bigint) => own.reduce((total, bucket) => total + of(bucket), 0n);
  return {
    raisedAmount: `${sum(({ committed }) => committed)}`,
    refundedAmount: `${sum(({ refunded }) => refunded)}`,
    repaidAmount: `${sum(({ repaidPrincipal, repaidInterest }) => repaidPrincipal + repaidInterest)}`,
  };
}

describe("running totals", () => {
  it("begin with nothing, never fall without a withdrawal, and end in the sums", () => {
    fc.assert(
      fc.property(buckets, (own) => {
        const book = bookOf(own);
        const { points, agrees } = cumulative(own, book);
        expect(agrees).toBe(true);
        expect(points).toHaveLength(own.length + 1);
        expect(points[0]).toEqual({ at: 0n, committed: 0n, refunded: 0n, repaid: 0n });
        expect(points.at(-1)).toEqual({
          at: BigInt(own.length) * 10n,
          committed: BigInt(book.raisedAmount),
          refunded: BigInt(book.refundedAmount),
          repaid: BigInt(book.repaidAmount),
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

  const bucket = (start: bigint, sums: Partial<MoneyBucket>): MoneyBucket => ({
    start,
    end: start + 10n,
    committed: 0n,
    refunded: 0n,
    repaidPrincipal: 0n,
    repaidInterest: 0n,
    ...sums,
  });

  it("fall where money was taken back before the close", () => {
    const own = [bucket(0n, { committed: 100n }), bucket(10n, { committed: -30n, refunded: 30n })];
    const { points } = cumulative(own, bookOf(own));
    expect(points.map(({ committed }) => committed)).toEqual([0n, 100n, 70n]);
  });

  it("end in the book's figures where the chain's own totals are others, and say so", () => {
    const own = [bucket(0n, { committed: 100n }), bucket(10n, { committed: 5n })];
    const { points, agrees } = cumulative(own, { ...bookOf(own), raisedAmount: "120" });
    expect(agrees).toBe(false);
    expect(points.map(({ committed }) => committed)).toEqual([0n, 100n, 120n]);
  });

  it("stop at the largest figure that the book keeps", () => {
    const most = 2n ** 256n - 1n;
    const own = [
      bucket(0n, { repaidPrincipal: most, repaidInterest: 7n }),
      bucket(10n, { repaidPrincipal: most }),
    ];
    const { points, agrees } = cumulative(own, { ...bookOf(own), repaidAmount: `${most + 7n}` });
    expect(agrees).toBe(true);
    expect(points.map(({ repaid }) => repaid)).toEqual([0n, most + 7n, most + 7n]);
  });

  it("of nothing are no points", () => {
    expect(cumulative([], bookOf([]))).toEqual({ points: [], agrees: true });
  });
});
