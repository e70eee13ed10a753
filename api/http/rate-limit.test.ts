import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBuckets } from "./rate-limit.ts";

const MINUTE = 60_000;

const limits = fc.integer({ min: 1, max: 100_000 });
/** Pauses between requests: none, short ones, and some in which a bucket fills. */
const pauses = fc.array(fc.oneof(fc.constant(0), fc.nat(200), fc.nat(2 * MINUTE)), { maxLength: 200 });

/** When each request of one client comes, in milliseconds. */
function momentsOf(start: number, waits: readonly number[]): number[] {
  let now = start;
  return waits.map((wait) => {
    now += wait;
    return now;
  });
}

describe("a bucket", () => {
  it("allows no more in any span than it holds and what comes back in it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.nat(1e9), pauses, (perMinute, start, waits) => {
        const take = createBuckets(perMinute);
        const allowed = momentsOf(start, waits).filter((now) => take("one", now).isAllowed);
        for (const [first, from] of allowed.entries()) {
          for (const [index, until] of allowed.entries()) {
            const most = perMinute + ((until - from) * perMinute) / MINUTE;
            if (index >= first) expect(index - first + 1).toBeLessThanOrEqual(most);
          }
        }
      }),
    );
  });

  it("lets a client use all of it at once, and refuses the next request", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), fc.nat(1e9), (perMinute, now) => {
        const take = createBuckets(perMinute);
        for (let left = perMinute - 1; left >= 0; left--)
          expect(take("one", now)).toMatchObject({ isAllowed: true, remaining: left });
        expect(take("one", now)).toMatchObject({ isAllowed: false, remaining: 0, reset: 60 });
      }),
    );
  });

  it("says truly when the next request is allowed, and when all of them are back", () => {
    fc.assert(
      fc.property(limits, fc.nat(1e9), pauses, (perMinute, start, waits) => {
        const take = createBuckets(perMinute);
        for (const now of momentsOf(start, waits)) {
          const { isAllowed, remaining, reset, retryAfter } = take("one", now);
          expect(remaining === 0).toBe(retryAfter > 0);
          if (!isAllowed) expect(retryAfter).toBeGreaterThan(0);
          expect(reset).toBeLessThanOrEqual(60);
          expect(retryAfter).toBeLessThanOrEqual(reset);
        }
        const last = momentsOf(start, waits).at(-1) ?? start;
        const { retryAfter } = take("one", last);
        const next = last + retryAfter * 1000;
        const again = take("one", next);
        expect(again.isAllowed).toBe(true);
        expect(take("one", next + again.reset * 1000).remaining).toBe(perMinute - 1);
      }),
    );
  });

  it("never refuses a client that keeps to the rate", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), fc.nat(1e9), (perMinute, start) => {
        const take = createBuckets(perMinute);
        const pace = Math.ceil(MINUTE / perMinute);
        for (let count = 0; count < 500; count++)
          expect(take("one", start + count * pace).isAllowed).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it("takes nothing for a refused request", () => {
    const take = createBuckets(1);
    expect(take("one", 0).isAllowed).toBe(true);
    for (let now = 1; now < MINUTE; now += 1_000) expect(take("one", now).isAllowed).toBe(false);
    expect(take("one", MINUTE).isAllowed).toBe(true);
  });

  it("belongs to one client; above the limit the least recently used is dropped", () => {
    const take = createBuckets(1, 2);
    expect(["one", "two", "one"].map((client) => take(client, 0).isAllowed)).toEqual([true, true, false]);
    // "two" is the one that goes.
    expect(["three", "one", "two"].map((client) => take(client, 1).isAllowed)).toEqual([true, false, true]);
  });
});
