import fc from "fast-check";
import { expect, it } from "vitest";
import { business, marketOf } from "../../test/harness/market.ts";
import { entryDraft, everyState } from "../../test/harness/rows.ts";
import { countByOption, type ListingsOption } from "./listings-options.ts";
import { countListings, type ListingsQuery } from "./listings-query.ts";
import { GRADES, REPAYMENTS, STATUSES } from "./schema.ts";

const { rows } = everyState();
const BUSINESSES = ["SG", "DE", "SG"].map((jurisdiction, index) =>
  business({ publicId: `org_${index}`, legalName: `Käserei ${index}`, jurisdiction }),
);

/** Some of the made-up raises, each of one of the businesses, with terms of its own. */
const market = fc
  .array(
    fc.record({
      state: fc.nat(7),
      owner: fc.nat(2),
      coupon: fc.constantFrom(900, 1450),
      tenor: fc.constantFrom(30, 90),
    }),
    { maxLength: 12 },
  )
  .map((all) => {
    const made = all.flatMap(({ state, coupon, tenor }, index) => {
      const row = rows[state];
      return row === undefined
        ? []
        : [{ ...row, onchainId: BigInt(index + 1), couponRateBps: coupon, tenorDays: tenor }];
    });
    const entries = all.map(({ owner }, index) =>
      entryDraft({ onchainId: `${index + 1}`, originator: `org_${owner}` }),
    );
    return marketOf(made, entries, BUSINESSES);
  });

const values = {
  q: fc.constantFrom("", "kaserei", "KÄSEREI 1", "raise 3", "nothing"),
  status: fc.uniqueArray(fc.constantFrom(...STATUSES), { minLength: 1 }),
  grade: fc.uniqueArray(fc.constantFrom(...GRADES), { minLength: 1 }),
  originator: fc.constantFrom("org_0", "org_1", "org_nobody"),
  jurisdiction: fc.constantFrom<("SG" | "DE")[][]>(["SG"], ["DE"], ["SG", "DE"]),
  repayment: fc.uniqueArray(fc.constantFrom(...REPAYMENTS), { minLength: 1 }),
  minCouponBps: fc.constantFrom(0, 901, 1450),
  maxTenorDays: fc.constantFrom(0, 30, 90),
  closingBefore: fc.constantFrom(1_772_366_400n, 4_000_000_000n),
};
const query: fc.Arbitrary<ListingsQuery> = fc.record(
  { ...values, sort: fc.constant("most_raised" as const), limit: fc.constant(1) },
  { requiredKeys: [] },
);
const option: fc.Arbitrary<ListingsOption> = fc.oneof(
  ...Object.entries(values).map(([field, value]) =>
    (value as fc.Arbitrary<unknown>).map((one) => ({ [field]: one })),
  ),
);

it("has the count of the query with each option in the place of its field", () => {
  const property = fc.property(market, query, fc.array(option, { maxLength: 6 }), (all, asked, options) => {
    const counted = countByOption(all, asked, options);
    expect(counted.size).toBe(options.length);
    for (const one of options) {
      const expected = countListings(all.listings, { ...asked, ...one }, all.originatorByPublicId);
      expect(counted.get(one), JSON.stringify(Object.keys(one))).toBe(expected);
    }
  });
  fc.assert(property, { numRuns: 500 });
});

it("counts zero in an empty market", () => {
  const option = { status: ["live" as const] };
  expect(countByOption(marketOf([], []), {}, [option]).get(option)).toBe(0);
});
