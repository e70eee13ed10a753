import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BUSINESSES, base, bruteForce, market, query } from "../../test/harness/listings-queries.ts";
import {
  countListings,
  decodeListingsCursor,
  LISTINGS_FIELDS,
  type ListingsQuery,
  queryListings,
} from "./listings-query.ts";
import { type QueryField, readField } from "./query-field.ts";
import type { Listing } from "./schema.ts";

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
      const expected = bruteForce(listings, asked);
      expect(queryListings(listings, asked, BUSINESSES)).toEqual({ listings: expected, nextCursor: null });
      expect(countListings(listings, asked, BUSINESSES)).toBe(expected.length);
    });
    fc.assert(property, { numRuns: 2000 });
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
    // One id, given twice, is still a word.
    expect(
      queryListings([{ ...one, publicId: "lst_ab" }], { q: "lst_a LST_A" }, BUSINESSES).listings,
    ).toHaveLength(1);
    // A business can be renamed while its listing stays the same.
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
