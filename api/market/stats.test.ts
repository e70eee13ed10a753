import fc from "fast-check";
import { expect, it } from "vitest";
import type { ListingRow } from "../../src/fold/state.ts";
import { ids, longMarket } from "../../test/harness/long-market.ts";
import { business, marketOf } from "../../test/harness/market.ts";
import { DOLLAR, DRAWN, entryDraft, everyState, listingRow, NOW } from "../../test/harness/rows.ts";
import { statsOf } from "../../test/model/stats.ts";
import { STATUSES, statsSchema } from "./schema.ts";
import { createRunningStats, recordOf, totalsOf } from "./stats.ts";

const MAX = 2n ** 256n - 1n;
/** The sums of the made-up market's raises whose funding has ended: open raises add nothing. */
const DECIDED = {
  // three loans of 80,000
  lent: (240_000n * DOLLAR).toString(),
  refunded: DOLLAR.toString(),
  withdrawn: DOLLAR.toString(),
  returned: "0",
  // a dollar below the minimum, 80,000 voided
  refundable: (80_001n * DOLLAR).toString(),
  repaid: (170_000n * DOLLAR).toString(),
  outstanding: (80_000n * DOLLAR).toString(),
  reserves: "0",
  // One owes 80,000, twenty days after its maturity.
  outstandingByRepayment: {
    current: { amount: "0", shareBps: 0, listings: 0 },
    grace: { amount: "0", shareBps: 0, listings: 0 },
    late: { amount: `${80_000n * DOLLAR}`, shareBps: 10_000, listings: 1 },
    default: { amount: "0", shareBps: 0, listings: 0 },
  },
  writtenOff: "0",
  outstandingInDefaultBps: 0,
  decided: 4,
  minimumReachedBps: 7500,
};

function stats(rows: ListingRow[], published = rows) {
  const entries = published.map(({ onchainId }) => entryDraft({ onchainId: onchainId.toString() }));
  const result = marketOf(rows, entries).stats;
  expect(statsSchema.safeParse(result).error).toBeUndefined();
  return result;
}

it("counts every state and sums the visible listings", () => {
  const { rows } = everyState();
  expect(stats(rows, rows.slice(0, 8))).toEqual({
    ...DECIDED,
    byStatus: { listed: 1, funding: 1, live: 1, matured: 2, refunding: 1, voided: 1, cancelled: 1 },
    // five of 80,000 and one dollar: see the made-up market
    raised: (400_000n * DOLLAR + DOLLAR).toString(),
    subscribers: 18,
    defaultRateBps: 0,
    // an auction of 12.12% and two of 14.50%, of 80,000 each
    averageCouponBps: 1370,
    // three, each created two days ago and closed a day ago
    averageHoursToFund: 24,
  });
});

it("is of nothing when nothing is visible", () => {
  expect(stats([listingRow()], [])).toEqual(statsOf([], NOW));
});

it("has the default rate of the settled raises that were drawn", () => {
  const settled = (onchainId: bigint, drawnAmount: bigint | null, writtenOffPrincipal: bigint) =>
    listingRow({
      ...DRAWN,
      onchainId,
      drawnAmount,
      terminalKind: "settled",
      terminalAt: NOW,
      writtenOffPrincipal,
    });
  const live = listingRow({ ...DRAWN, onchainId: 9n });
  expect(stats([live]).defaultRateBps).toBeNull();
  expect(stats([live, settled(1n, null, MAX)]).defaultRateBps).toBeNull();
  expect(stats([live, settled(1n, 300n, 0n), settled(2n, 700n, 101n)]).defaultRateBps).toBe(1010);
  // No loss is larger than the drawdown.
  expect(stats([settled(1n, 300n, MAX), settled(2n, 700n, 0n)]).defaultRateBps).toBe(3000);
  expect(stats([settled(1n, 3n, 1n)]).defaultRateBps).toBe(3333);
});

it("has each written-off amount on its listing and all of them together", () => {
  const lost = (onchainId: bigint, changes: Partial<ListingRow>) =>
    listingRow({ ...DRAWN, onchainId, drawnAmount: 700n, writtenOffPrincipal: 101n, ...changes });
  const settled = { terminalKind: "settled", terminalAt: NOW } as const;
  const rows = [
    lost(1n, settled),
    lost(2n, { ...settled, writtenOffPrincipal: MAX }), // no more than was drawn
    lost(3n, { ...settled, drawnAmount: null }),
    lost(4n, { terminalKind: "voided", terminalAt: NOW }),
    lost(5n, {}),
  ];
  const { listings } = marketOf(
    rows,
    rows.map(({ onchainId }) => entryDraft({ onchainId: `${onchainId}` })),
  );
  const written = Object.fromEntries(listings.map((one) => [one.publicId, one.writtenOffAmount]));
  expect(written).toEqual({ lst_1: "101", lst_2: "700", lst_3: "0", lst_4: "0", lst_5: "0" });
  expect(stats(rows).writtenOff).toBe("801");
});

it("weighs the average coupon by what was drawn, and rounds down", () => {
  const drawn = (onchainId: bigint, drawnAmount: bigint, couponRateBps: number) =>
    listingRow({ ...DRAWN, onchainId, drawnAmount, couponRateBps });
  expect(stats([drawn(1n, 1n, 1000), drawn(2n, 2n, 2000)]).averageCouponBps).toBe(1666);
  expect(stats([drawn(1n, 1n, 1000), listingRow({ onchainId: 2n })]).averageCouponBps).toBe(1000);
});

it("sums past what a row can hold", () => {
  const rows = [1n, 2n].map((onchainId) => listingRow({ onchainId, raisedAmount: MAX, reserveBalance: MAX }));
  expect(stats(rows)).toMatchObject({ raised: (2n * MAX).toString(), reserves: (2n * MAX).toString() });
});

it("is made of its parts: the figures of two halves add up to those of the whole", () => {
  const amount = fc.oneof(fc.constantFrom(0n, MAX), fc.bigInt(0n, MAX));
  const row = fc.record({
    raisedAmount: amount,
    refundedAmount: amount,
    reserveBalance: amount,
    repaidPrincipal: amount,
    repaidInterest: amount,
    outstandingPrincipal: amount,
    writtenOffPrincipal: fc.option(amount),
    drawnAmount: fc.option(amount),
    drawnDownAt: fc.option(fc.constant(NOW)),
    terminalKind: fc.constantFrom(null, "settled" as const, "voided" as const, "cancelled" as const),
    subscriberCount: fc.nat({ max: 2 ** 31 - 1 }),
    closeAt: fc.constantFrom(null, NOW, NOW + 1n),
  });
  const rows = fc
    .array(row, { minLength: 1, maxLength: 8 })
    .map((all) => all.map((row, index) => listingRow({ ...row, onchainId: BigInt(index + 1) })));
  const property = fc.property(rows, fc.nat({ max: 8 }), (rows, at) => {
    const { byStatus, defaultRateBps, ...whole } = stats(rows);
    const [left, right] = [stats(rows.slice(0, at)), stats(rows.slice(at))];
    for (const key of [
      "raised",
      "lent",
      "refunded",
      "withdrawn",
      "returned",
      "refundable",
      "repaid",
      "outstanding",
      "reserves",
      "writtenOff",
      "subscribers",
      "decided",
    ] as const) {
      expect(`${whole[key]}`, key).toBe((BigInt(left[key]) + BigInt(right[key])).toString());
    }
    for (const status of STATUSES) {
      expect(byStatus[status], status).toBe(left.byStatus[status] + right.byStatus[status]);
    }
    expect(Object.values(byStatus).reduce((count, of) => count + of, 0)).toBe(rows.length);

    // The rate of all lies between those of the parts.
    const parts = [left.defaultRateBps, right.defaultRateBps].filter((rate) => rate !== null);
    if (defaultRateBps === null) expect(parts).toEqual([]);
    else {
      expect(defaultRateBps).toBeGreaterThanOrEqual(Math.min(...parts));
      expect(defaultRateBps).toBeLessThanOrEqual(Math.min(10_000, Math.max(...parts)));
    }
  });
  fc.assert(property);
});

it("has the totals of one business, which with those of all others are the market's", () => {
  const { rows, registry } = everyState();
  const entries = registry.listings.map(({ publicId, originator, onchainId }) =>
    entryDraft({ publicId, originator, onchainId: `${onchainId}` }),
  );
  const businesses = ["org_northwind", "org_unverified"].map((publicId) => business({ publicId }));
  const market = marketOf(rows, entries, businesses);
  const [northwind, unverified] = market.originators.map(({ listings }) => totalsOf(listings));
  expect(northwind).toEqual({
    ...DECIDED,
    byStatus: { listed: 0, funding: 0, live: 1, matured: 2, refunding: 1, voided: 1, cancelled: 1 },
    raised: (320_000n * DOLLAR + DOLLAR).toString(),
    subscribers: 15,
  });
  expect(BigInt(northwind?.raised ?? 0) + BigInt(unverified?.raised ?? 0)).toBe(BigInt(market.stats.raised));
  const { defaultRateBps: _, averageCouponBps: __, averageHoursToFund: ___, ...whole } = market.stats;
  expect(totalsOf(market.listings)).toEqual(whole);
  expect(totalsOf([])).toMatchObject({ raised: "0", outstanding: "0", subscribers: 0 });
});

it("equals the figures of what remains after any additions and removals, and splits all debt", () => {
  const amount = fc.oneof(fc.constantFrom(0n, 1n, MAX), fc.bigInt(0n, MAX));
  const row = fc.record({
    drawnAmount: amount,
    outstandingPrincipal: amount,
    writtenOffPrincipal: amount,
    couponRateBps: fc.nat({ max: 2 ** 32 - 1 }),
    // current, in grace, late, in default
    maturityAt: fc.constantFrom(...[0n, 1n, 20n, 100n].map((days) => NOW - days * 86_400n)),
    terminalKind: fc.constantFrom(null, "settled" as const, "voided" as const),
  });
  const comings = fc.array(fc.record({ row, stays: fc.boolean() }), { maxLength: 8 });
  const property = fc.property(comings, (all) => {
    const rows = all.map(({ row }, index) => listingRow({ ...DRAWN, ...row, onchainId: BigInt(index + 1) }));
    const entries = rows.map(({ onchainId }) => entryDraft({ onchainId: `${onchainId}` }));
    const { listings } = marketOf(rows, entries);
    const published = listings.flatMap((listing) => {
      const at = Number(listing.onchainId) - 1;
      return rows.slice(at, at + 1).map((row) => ({ row, listing, stays: all[at]?.stays }));
    });
    expect(published).toHaveLength(rows.length);
    const running = createRunningStats();
    for (const one of published) running.add(one);
    for (const one of published) if (!one.stays) running.remove(one);
    const left = rows.filter((_, at) => all[at]?.stays);
    expect(running.stats()).toEqual(stats(left));

    const { outstandingByRepayment, outstanding } = running.stats();
    const owed = Object.values(outstandingByRepayment);
    expect(owed.reduce((sum, { amount }) => sum + BigInt(amount), 0n)).toBe(BigInt(outstanding));
    // Each share is rounded down: together they miss three basis points at most.
    const shares = owed.reduce((sum, { shareBps }) => sum + (shareBps ?? 0), 0);
    if (outstanding === "0") expect(owed.map(({ shareBps }) => shareBps)).toEqual([null, null, null, null]);
    else expect(shares >= 9_997 && shares <= 10_000, `${shares}`).toBe(true);
  });
  fc.assert(property);
});

it("has a business's record in an older market, even if first read after its raises changed", () => {
  const raises = longMarket(40);
  const markets = [
    raises.open(ids(1, 40)),
    raises.end(ids(1, 24)),
    raises.lose([28, 32]),
    raises.touch([1, 30]),
  ];
  // A copy has no kept record: it is counted from the listings.
  for (const { originators } of markets)
    for (const one of originators) expect(recordOf(one)).toEqual(recordOf({ ...one }));
});
