import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import { sorted } from "../../test/model/listings-order.ts";
import { SORTS } from "./listings-order.ts";
import {
  countListings,
  decodeListingsCursor,
  LISTINGS_FIELDS,
  type ListingsQuery,
  queryListings,
} from "./listings-query.ts";
import { type QueryField, readField } from "./query-field.ts";
import { GRADES, type Listing, REPAYMENTS, STATUSES } from "./schema.ts";

const [base] = (await snapshotOf(tablesOf())).market.listings;
if (base === undefined) throw new Error("the made-up market is empty");

const TIMES = [
  "2026-01-01T00:00:00Z",
  "2026-03-01T12:00:00Z",
  "2026-03-01T12:00:01Z",
  "9999-12-31T23:59:59Z",
];
const ORIGINATORS = ["org_one", "org_two", "org_three"];
/** Of the third nothing is known. */
const BUSINESSES = new Map([
  ["org_one", { legalName: "Käserei Nord GmbH", jurisdiction: "DE" }],
  ["org_two", { legalName: "Tide Pools Ltd.", jurisdiction: "SG" }],
]);
const TITLES = ["Crème brûlée oven", "COLD trucks", "A second oven for Nord", ""];
/** Each word, and the letters that it is found by, written out by hand. */
const WORDS: Readonly<Record<string, string>> = {
  oven: "oven",
  OVEN: "oven",
  creme: "creme",
  CRÈME: "creme",
  brûl: "brul",
  käserei: "kaserei",
  KASEREI: "kaserei",
  nord: "nord",
  pools: "pools",
  RB0: "rb0",
  lst_a: "lst_a",
  nothing: "nothing",
};
/** The same by hand for every text that is searched. */
const PLAIN: Readonly<Record<string, string>> = {
  "Crème brûlée oven": "creme brulee oven",
  "COLD trucks": "cold trucks",
  "A second oven for Nord": "a second oven for nord",
  "": "",
  RB00001: "rb00001",
  OLD00007: "old00007",
  org_one: "kaserei nord gmbh",
  org_two: "tide pools ltd.",
  org_three: "",
};

const listing = fc
  .record({
    status: fc.constantFrom(...STATUSES),
    originatorGrade: fc.constantFrom(...GRADES),
    originator: fc.constantFrom(...ORIGINATORS),
    repayment: fc.constantFrom(...REPAYMENTS),
    title: fc.constantFrom(...TITLES),
    refnum: fc.constantFrom("RB00001", "OLD00007"),
    tenorDays: fc.constantFrom(0, 90, 180, 65_535),
    couponRateBps: fc.constantFrom(0, 900, 1450, 4_294_967_295),
    goLiveAt: fc.constantFrom(...TIMES),
    closeAt: fc.option(fc.constantFrom(...TIMES)),
    maturityAt: fc.option(fc.constantFrom(...TIMES)),
    outstandingPrincipal: fc.constantFrom("0", "7"),
    targetAmount: fc.constantFrom("0", "10", "40", "1000000000000000000000"),
    raisedAmount: fc.constantFrom("0", "9", "10", "1000000000000000000000", `${2n ** 256n - 1n}`),
    subscriberCount: fc.constantFrom(0, 1, 12),
  })
  .map((fields) => ({
    ...base,
    ...fields,
    acceptsMoney: fields.status === "listed" || fields.status === "funding",
  }));

/** A market in its own order, with public ids of which no two are the same. */
const market = fc
  .uniqueArray(
    fc.tuple(
      fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom("a", "B", "_", "9", "-") }),
      listing,
    ),
    {
      maxLength: 25,
      selector: ([id]) => id,
    },
  )
  .map((entries) =>
    sorted(
      entries.map(([id, fields]): Listing => ({ ...fields, publicId: `lst_${id}` })),
      "newest",
    ),
  );

const query = fc.record(
  {
    status: fc.uniqueArray(fc.constantFrom(...STATUSES), { minLength: 1 }),
    grade: fc.uniqueArray(fc.constantFrom(...GRADES), { minLength: 1 }),
    originator: fc.constantFrom(...ORIGINATORS, "org_nobody"),
    q: fc
      .array(fc.constantFrom(...Object.keys(WORDS)), { maxLength: 2 })
      .map((words) => ` ${words.join("  ")}`),
    jurisdiction: fc.uniqueArray(fc.constantFrom("DE" as const, "SG" as const, "FR" as const), {
      minLength: 1,
    }),
    repayment: fc.uniqueArray(fc.constantFrom(...REPAYMENTS), { minLength: 1 }),
    maxTenorDays: fc.constantFrom(0, 89, 90, 179, 65_535),
    minTenorDays: fc.constantFrom(0, 90, 91, 65_535),
    minCouponBps: fc.constantFrom(0, 900, 901, 4_294_967_295),
    maxCouponBps: fc.constantFrom(0, 899, 900, 4_294_967_295),
    closingBefore: fc.constantFrom(...TIMES).map((time) => BigInt(Date.parse(time) / 1000)),
    sort: fc.constantFrom(...SORTS),
  },
  { requiredKeys: [] },
);

/** One filter after the other over the whole answer. */
function bruteForce(listings: readonly Listing[], asked: ListingsQuery): Listing[] {
  let left = [...listings];
  if (asked.status) left = left.filter((one) => [...(asked.status ?? [])].includes(one.status));
  if (asked.grade) left = left.filter((one) => [...(asked.grade ?? [])].includes(one.originatorGrade));
  if (asked.originator) left = left.filter((one) => one.originator === asked.originator);
  if (asked.minCouponBps) left = left.filter((one) => !(one.couponRateBps < Number(asked.minCouponBps)));
  if (asked.repayment)
    left = left.filter((one) => asked.repayment?.join().split(",").includes(one.repayment));
  if (asked.maxTenorDays !== undefined) {
    left = left.filter((one) => !(one.tenorDays > Number(asked.maxTenorDays)));
  }
  if (asked.minTenorDays !== undefined) {
    left = left.filter((one) => !(one.tenorDays < Number(asked.minTenorDays)));
  }
  if (asked.maxCouponBps !== undefined) {
    left = left.filter((one) => !(one.couponRateBps > Number(asked.maxCouponBps)));
  }
  if (asked.jurisdiction) {
    const at = { DE: ["org_one"], SG: ["org_two"], FR: [] };
    const there = Object.entries(at).flatMap(([code, all]) =>
      asked.jurisdiction?.join().includes(code) ? all : [],
    );
    left = left.filter((one) => there.includes(one.originator));
  }
  for (const word of (asked.q ?? "").split(" ").filter((one) => one !== "")) {
    left = left.filter(({ title, refnum, publicId, originator }) =>
      [PLAIN[title], PLAIN[refnum], publicId.toLowerCase(), PLAIN[originator]].some((text) =>
        text?.includes(WORDS[word] ?? "unknown"),
      ),
    );
  }
  if (asked.closingBefore !== undefined) {
    const limit = new Date(Number(asked.closingBefore) * 1000);
    left = left.filter((one) => one.closeAt !== null && new Date(one.closeAt) < limit);
  }
  return sorted(left, asked.sort ?? "newest");
}

const { sort: _, ...FILTERS } = LISTINGS_FIELDS;

describe.each(Object.entries<QueryField>(FILTERS))("the filter %s, alone", (name, field) => {
  const read = readField(field, field.example);
  const asked: ListingsQuery = "value" in read ? { [name]: read.value } : {};
  const markets = fc.sample(market, { seed: 22, numRuns: 30 });

  it("is counted as it is listed", () => {
    for (const listings of markets) {
      expect(countListings(listings, asked, BUSINESSES)).toBe(
        queryListings(listings, asked, BUSINESSES).listings.length,
      );
    }
  });

  it("leaves out some raises with the value of its example", () => {
    expect(markets.some((all) => queryListings(all, asked, BUSINESSES).listings.length < all.length)).toBe(
      true,
    );
  });
});

/** Every page of a query, from the first to the last. */
function walk(
  listings: (page: number) => readonly Listing[],
  asked: ListingsQuery,
  limit: number,
): Listing[][] {
  const pages: Listing[][] = [];
  let cursor: string | null = null;
  do {
    const place = cursor === null ? undefined : (decodeListingsCursor(cursor) ?? undefined);
    expect(place === undefined).toBe(cursor === null);
    const page = queryListings(listings(pages.length), { ...asked, limit, cursor: place }, BUSINESSES);
    pages.push([...page.listings]);
    cursor = page.nextCursor;
  } while (cursor !== null && pages.length < 60);
  return pages;
}

describe("queryListings", () => {
  it("finds what a filter after the other leaves, in the order asked for", () => {
    const property = fc.property(market, query, (listings, asked) => {
      expect(queryListings(listings, asked, BUSINESSES)).toEqual({
        listings: bruteForce(listings, asked),
        nextCursor: null,
      });
    });
    fc.assert(property, { numRuns: 2000 });
  });

  it("counts what it finds", () => {
    const property = fc.property(market, query, (listings, asked) => {
      expect(countListings(listings, asked, BUSINESSES)).toBe(bruteForce(listings, asked).length);
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it("finds a raise by any of its words, whatever their case and accents", () => {
    const one: Listing = { ...base, publicId: "lst_a", refnum: "RB00001", title: "Crème brûlée oven" };
    const named = { ...one, originator: "org_one" };
    const found = (q: string, name = "Käserei Nord GmbH") =>
      countListings([named], { q }, new Map([["org_one", { legalName: name, jurisdiction: "DE" }]])) === 1;
    for (const q of [
      "creme BRULEE",
      "oven crème",
      "rb00001",
      "LST_A",
      "kaserei oven",
      "gmbh nord",
      " ",
      "",
    ]) {
      expect(found(q), q).toBe(true);
    }
    for (const q of ["creme truck", "rb00002", "bakery"]) expect(found(q), q).toBe(false);
    // A business can be named anew while its listing stays the same.
    expect(found("bakery", "Northwind Bakery")).toBe(true);
    expect(found("kaserei", "Northwind Bakery")).toBe(false);
    const words = fc.shuffledSubarray(["Crème", "brûlée", "oven", "RB00001", "lst_a", "Käserei", "Nord"]);
    const forms = fc.constantFrom<((word: string) => string)[]>(
      (word) => word.toUpperCase(),
      (word) => word.toLowerCase(),
      (word) => word.normalize("NFD"),
      (word) => word.replace(/[èû]/g, (letter) => (letter === "è" ? "e" : "u")),
    );
    fc.assert(
      fc.property(words, forms, (some, form) => {
        expect(found(some.map(form).join(" "))).toBe(true);
        expect(found([...some, "zebra"].map(form).join(" "))).toBe(false);
      }),
    );
  });

  it("gives the market as it is when nothing is asked", () => {
    const property = fc.property(market, (all) => {
      expect(queryListings(all, {}, BUSINESSES).listings).toEqual(all);
    });
    fc.assert(property);
  });

  it("gives in pages what it gives at once, and says when there is no more", () => {
    const property = fc.property(market, query, fc.integer({ min: 1, max: 9 }), (listings, asked, limit) => {
      const pages = walk(() => listings, asked, limit);
      expect(pages.flat()).toEqual(bruteForce(listings, asked));
      for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit);
      if (pages.length > 1) expect(pages.at(-1)).not.toEqual([]);
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it("goes on where it was, though listings come and go between two pages", () => {
    const property = fc.property(market, query, fc.integer({ min: 1, max: 4 }), (listings, asked, limit) => {
      // Every other listing is there in every other page only; the rest must come once, in their order.
      const steady = new Set(listings.filter((_, index) => index % 2 === 0).map(({ publicId }) => publicId));
      const pages = walk(
        (page) => (page % 2 === 0 ? listings : listings.filter(({ publicId }) => steady.has(publicId))),
        asked,
        limit,
      );
      const seen = pages.flat();
      expect(new Set(seen.map(({ publicId }) => publicId)).size).toBe(seen.length);
      const expected = bruteForce(listings, asked).filter(({ publicId }) => steady.has(publicId));
      expect(seen.filter(({ publicId }) => steady.has(publicId))).toEqual(expected);
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it("gives all the rest after a cursor without a limit", () => {
    const property = fc.property(market, query, fc.integer({ min: 1, max: 5 }), (listings, asked, limit) => {
      const { listings: first, nextCursor } = queryListings(listings, { ...asked, limit }, BUSINESSES);
      if (nextCursor === null) return;
      const rest = queryListings(
        listings,
        {
          ...asked,
          cursor: decodeListingsCursor(nextCursor) ?? undefined,
        },
        BUSINESSES,
      );
      expect([...first, ...rest.listings]).toEqual(bruteForce(listings, asked));
      expect(rest.nextCursor).toBeNull();
    });
    fc.assert(property);
  });
});

describe("decodeListingsCursor", () => {
  it("takes nothing but what was given out", () => {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    expect(decodeListingsCursor(encode(["most_raised", "-10", "lst_1"]))).toEqual({
      sort: "most_raised",
      key: -10n,
      publicId: "lst_1",
    });
    const bad = [
      ["newest", "1"],
      ["cheapest", "1", "lst_1"],
      ["newest", "1e9", "lst_1"],
      ["newest", 1, "lst_1"],
      {},
      null,
    ];
    for (const value of bad) expect(decodeListingsCursor(encode(value)), JSON.stringify(value)).toBeNull();
    for (const text of ["", "!", "e30", "a".repeat(4000), encode(["newest", "1", "lst_1"]).concat("=")]) {
      expect(decodeListingsCursor(text), text.slice(0, 20)).toBeNull();
    }
  });

  it("never throws", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void decodeListingsCursor(text)));
    fc.assert(fc.property(fc.base64String(), (text) => void decodeListingsCursor(text)));
  });
});
