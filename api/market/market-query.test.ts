/** A query of a whole market finds what a walk over its listings finds, whatever filters and order it has. */
import { describe, expect, it } from "vitest";
import { DAY, DOLLAR, entryDraft, everyState, NOW, registryOf } from "../../test/harness/rows.ts";
import { SITE } from "../../test/harness/snapshot.ts";
import { FILTERS } from "./listings-filters.ts";
import { countByOption } from "./listings-options.ts";
import { SORTS, type Sort } from "./listings-order.ts";
import {
  countListings,
  decodeListingsCursor,
  type ListingsQuery,
  matcherOf,
  queryListings,
} from "./listings-query.ts";
import type { Market } from "./market.ts";
import { countMarket, owedInMarket, queryMarket } from "./market-query.ts";
import { createProjection } from "./project.ts";
import { totalsOf } from "./stats.ts";

/** More than are tried before the columns are asked, and more than are sorted as few. */
const SIZE = 2_400;
/** One in so many has this word in its title, and another one that fewer have. */
const [OFTEN, RARELY] = [7, 300];

const SHAPES = everyState().rows.slice(0, 8);
const HEAD = { number: 1_000n, timestamp: NOW };

function market(): Market {
  const ids = Array.from({ length: SIZE }, (_, at) => at + 1);
  const entries = ids.map((id) =>
    entryDraft({
      ...{ onchainId: `${id}`, publicId: `lst_${id}` },
      title: `Raise ${id % OFTEN === 0 ? "Bäckerei" : "tools"} ${id % RARELY === 0 ? "zeppelin" : ""}`,
    }),
  );
  const listings = ids.map((id) => {
    const shape = SHAPES[id % SHAPES.length];
    if (shape === undefined) throw new Error("there are shapes");
    const { goLiveAt, closeAt, updatedBlock } = shape;
    return {
      ...shape,
      ...{ onchainId: BigInt(id), refnum: `RB${`${id}`.padStart(5, "0")}`, couponRateBps: 500 + (id % 900) },
      ...{ tenorDays: 30 + (id % 400), updatedBlock: updatedBlock - BigInt(id % 90) },
      goLiveAt: (goLiveAt ?? NOW) - BigInt(id) * 60n,
      closeAt: closeAt !== null && closeAt > NOW ? closeAt + BigInt(id % 40) * DAY : closeAt,
      raisedAmount: shape.raisedAmount + BigInt(id % 50) * DOLLAR,
    };
  });
  const projection = createProjection({
    ...{ registry: registryOf(entries), publicSettings: { ...SITE, desk: null }, start: HEAD },
    archive: { atOnce: 16, block: 8 },
  });
  const rows = { listings, repayments: [], offers: [], trades: [], flows: [], holders: new Map() };
  return projection.advance(rows, HEAD, 10n ** 9n);
}

const made = market();
const { listings, originatorByPublicId } = made;

const QUERIES: Readonly<Record<string, ListingsQuery>> = {
  "no filter": {},
  "a state": { status: ["live"] },
  states: { status: ["listed", "funding", "cancelled"] },
  "no words": { status: [] },
  "states of repayment": { repayment: ["late", "repaid"] },
  grades: { grade: ["A", "B", "C", "D", "E"] },
  "a grade without raises": { grade: ["NR"] },
  "a business": { originator: "org_northwind" },
  "a country": { jurisdiction: ["SG"] },
  "another country": { jurisdiction: ["DE"] },
  coupons: { minCouponBps: 700, maxCouponBps: 702 },
  terms: { minTenorDays: 100, maxTenorDays: 101, status: ["matured"] },
  "a closing time": { closingBefore: NOW + 5n * DAY },
  "a due date": { dueBefore: NOW + 400n * DAY },
  "a pace": { pace: ["misses_minimum", "reaches_minimum"] },
  "changes since a block": { changedSince: { block: SHAPES[0]?.updatedBlock ?? 0n } },
  "changes since a time": { changedSince: { time: NOW - 3n * DAY } },
  "a word of many": { q: "backerei" },
  "a word of few": { q: "ZEPPELIN" },
  "words of title and business": { q: "zeppelin northwind" },
  "reference numbers": { q: "RB00017 rb02001 lst_5" },
  "reference numbers with commas": { q: "RB00017,rb02001 , lst_5" },
  "a word of none": { q: "nothing" },
};

it("the made-up market has raises in full and in the archive", () => {
  expect(listings).toHaveLength(SIZE);
  expect(listings.full.length).toBeGreaterThan(0);
  expect(listings.full.length).toBeLessThan(SIZE);
});

describe.each(Object.entries(QUERIES))("%s", (name, query) => {
  const all = listings.filter(matcherOf(query, originatorByPublicId));

  it("is counted, and what it owes is summed", () => {
    if (!/none|without|another/.test(name)) expect(all.length).toBeGreaterThan(0);
    expect(countMarket(made, query)).toBe(all.length);
    const { outstanding, refundable } = totalsOf(all);
    expect(owedInMarket(made, query)).toMatchObject({ outstanding, refundable });
  });

  it.each(["newest", "due_soon", "most_raised", "closing_late"] satisfies Sort[])(
    "is found in the order %s",
    (sort) => {
      const whole = queryListings(listings, { ...query, sort }, originatorByPublicId).listings;
      expect(whole).toHaveLength(all.length);
      expect(queryMarket(made, { ...query, sort }).listings).toEqual(whole);
      const first = queryMarket(made, { ...query, sort, limit: 20 });
      expect(first.listings).toEqual(whole.slice(0, 20));
      if (first.nextCursor === null) return expect(whole.length).toBeLessThanOrEqual(20);
      const cursor = decodeListingsCursor(first.nextCursor) ?? undefined;
      expect(queryMarket(made, { ...query, limit: 20, cursor }).listings).toEqual(whole.slice(20, 40));
    },
  );

  it("has the count of each option", () => {
    const options = [
      ...[{ repayment: ["late" as const] }, { repayment: ["repaid" as const] }, { grade: ["NR" as const] }],
      ...[{ jurisdiction: ["SG"] }, { minCouponBps: 1_000 }, { closingBefore: NOW + 9n * DAY }],
    ];
    const counted = countByOption(made, query, options);
    for (const option of options)
      expect([option, counted.get(option)]).toEqual([
        option,
        countListings(listings, { ...query, ...option }, originatorByPublicId),
      ]);
  });
});

it("every order is the same", () => {
  for (const sort of SORTS) {
    const query = { q: "zeppelin", sort };
    expect(queryMarket(made, query)).toEqual(queryListings(listings, query, originatorByPublicId));
  }
});

it("a filter that is not of columns reads the listings", () => {
  const backers = {
    ...FILTERS.minCouponBps,
    accepts: (least: number) => (listing: unknown) =>
      (listing as { subscriberCount: number }).subscriberCount >= least,
  };
  const table = { ...FILTERS, minBackers: backers };
  const query = { minBackers: 2 } as ListingsQuery;
  const expected = listings.filter(({ subscriberCount }) => subscriberCount >= 2).length;
  expect(expected).toBeGreaterThan(0);
  expect(expected).toBeLessThan(SIZE);
  expect(countMarket(made, query, table)).toBe(expected);
  expect(queryMarket(made, query, table).listings).toHaveLength(expected);
  expect(countByOption(made, {}, [query], table).get(query)).toBe(expected);
});
