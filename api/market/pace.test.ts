import { describe, expect, it } from "vitest";
import type { ListingRow } from "../../src/fold/state.ts";
import { marketAt } from "../../test/harness/market.ts";
import { DAY, DOLLAR, entryDraft, listingRow, NOW } from "../../test/harness/rows.ts";
import { queryListings } from "./listings-query.ts";
import { type Pace, paceOf, paceTurnsAt } from "./pace.ts";

const HOUR = 3_600n;
/** Open for twenty days from NOW on, of a target of 100,000 and a minimum of 50,000. */
const OPEN = { createdAt: NOW - DAY, goLiveAt: NOW, closeAt: NOW + 20n * DAY, raisedAmount: 4_000n * DOLLAR };

function listingAt(now: bigint, changes: Partial<ListingRow> = {}) {
  const [listing] = marketAt(now, [listingRow({ ...OPEN, ...changes })], [entryDraft()]).listings;
  if (listing === undefined) throw new Error("no listing");
  return listing;
}

describe("the amount at the close, at the average pace", () => {
  const projected = (now: bigint, changes?: Partial<ListingRow>) => listingAt(now, changes).projectedAmount;

  it("is in proportion to the time open, in whole hours", () => {
    // 4,000 in two days: 40,000 in twenty.
    expect(projected(NOW + 2n * DAY)).toBe(`${40_000n * DOLLAR}`);
    expect(projected(NOW + 2n * DAY + HOUR - 1n)).toBe(`${40_000n * DOLLAR}`);
    // 4,000 × 480 hours / 49 hours, rounded down
    expect(projected(NOW + 2n * DAY + HOUR)).toBe("39183673469387755102040");
  });

  it("begins with the creation where that is later, after a day", () => {
    expect(projected(NOW + DAY - 1n)).toBeNull();
    expect(projected(NOW + DAY)).toBe(`${80_000n * DOLLAR}`);
    const late = { createdAt: NOW + 10n * DAY };
    expect(projected(NOW + 11n * DAY - 1n, late)).toBeNull();
    expect(projected(NOW + 11n * DAY, late)).toBe(`${40_000n * DOLLAR}`);
  });

  it("is at most the target, or what is committed beyond it", () => {
    expect(projected(NOW + DAY, { raisedAmount: 90_000n * DOLLAR })).toBe(`${100_000n * DOLLAR}`);
    expect(projected(NOW + DAY, { raisedAmount: 120_000n * DOLLAR })).toBe(`${120_000n * DOLLAR}`);
    expect(projected(NOW + DAY, { raisedAmount: 0n })).toBe("0");
  });

  it("is null without a closing time, and once the raise is not open", () => {
    expect(projected(NOW + 2n * DAY, { closeAt: null })).toBeNull();
    expect(projected(NOW + 20n * DAY)).toBeNull();
    const cancelled = { terminalKind: "cancelled", terminalAt: NOW + DAY } as const;
    expect(projected(NOW + 2n * DAY, cancelled)).toBeNull();
  });

  it("turns with each hour while money is there", () => {
    const row = listingRow(OPEN);
    expect(paceTurnsAt(row, NOW - 5n)).toBe(NOW + DAY);
    expect(paceTurnsAt(row, NOW)).toBe(NOW + DAY);
    expect(paceTurnsAt(row, NOW + DAY)).toBe(NOW + DAY + HOUR);
    expect(paceTurnsAt(row, NOW + DAY + HOUR - 1n)).toBe(NOW + DAY + HOUR);
    const empty = { ...row, raisedAmount: 0n };
    expect(paceTurnsAt(empty, NOW)).toBe(NOW + DAY);
    expect(paceTurnsAt(empty, NOW + DAY)).toBeNull();
    expect(paceTurnsAt(row, NOW + 20n * DAY)).toBeNull();
    expect(paceTurnsAt({ ...row, closeAt: null }, NOW)).toBeNull();
  });
});

describe("a raise by its pace", () => {
  it.each<[string, bigint, Partial<ListingRow>, Pace | null]>([
    ["40,000 of 50,000", 2n * DAY, {}, "misses_minimum"],
    ["50,000 of 50,000", 2n * DAY, { raisedAmount: 5_000n * DOLLAR }, "reaches_minimum"],
    ["on the first day", DAY - 1n, {}, null],
    ["on the first day, but already enough", HOUR, { raisedAmount: 50_000n * DOLLAR }, "reaches_minimum"],
    ["nothing of no minimum", 2n * DAY, { raisedAmount: 0n, minRaise: 0n }, "misses_minimum"],
    ["without a closing time", 2n * DAY, { closeAt: null }, null],
    ["closed", 20n * DAY, { raisedAmount: 80_000n * DOLLAR }, null],
  ])("%s", (_, after, changes, pace) => {
    const listing = listingAt(NOW + after, changes);
    expect(paceOf(listing)).toBe(pace);
    const found = (words: readonly Pace[]) =>
      queryListings([listing], { pace: [...words] }, new Map()).listings.length;
    expect(found(["misses_minimum"])).toBe(pace === "misses_minimum" ? 1 : 0);
    expect(found(["misses_minimum", "reaches_minimum"])).toBe(pace === null ? 0 : 1);
  });
});
