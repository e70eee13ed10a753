/** @module The listings query of every face: filters, order and page. Pure. */
import { z } from "zod";
import type { ListingFacts } from "./archive/facts.ts";
import { Listings, type SomeListings } from "./listings.ts";
import { type Accepts, FILTERS, type ListingsFilters, type Originators } from "./listings-filters.ts";
import { SORTS, type Sort, type SortKey, sortKeyOf } from "./listings-order.ts";
import { type FieldValues, wordField } from "./query-field.ts";
import type { Listing, Status } from "./schema.ts";

export const LISTINGS_SORT = wordField(SORTS, {
  description: "Order, ties by public id; `newest` when not given",
  example: "closing_soon",
});

/** Filters and order of listings. A field that is not given does not filter. */
export const LISTINGS_FIELDS = { ...FILTERS, sort: LISTINGS_SORT };

/** Filters, order and page. Coupons in basis points, times in unix seconds. */
export type ListingsQuery = FieldValues<typeof LISTINGS_FIELDS> & {
  /** all when not given */
  limit?: number | undefined;
  cursor?: ListingsCursor | undefined;
};

/** A position in an order: the next page begins after it, whatever has changed before it. */
export type ListingsCursor = SortKey & { sort: Sort };

export type ListingsPage = { listings: readonly Listing[]; nextCursor: string | null };

/** Whether the cursor belongs to another order than `sort`. Without `sort` the cursor's own order applies. */
export function isOfAnotherOrder({ sort, cursor }: Pick<ListingsQuery, "sort" | "cursor">): boolean {
  return sort !== undefined && cursor !== undefined && cursor.sort !== sort;
}

/** The matching listings in the order of the query; ties by `publicId`. */
export function queryListings(
  listings: SomeListings,
  query: ListingsQuery,
  originators: Originators,
  filters: ListingsFilters = FILTERS,
): ListingsPage {
  const { limit = Number.POSITIVE_INFINITY } = query;
  const all = Listings.of(listings);
  const page: Listing[] = [];
  for (const facts of matching(all, query, originators, filters)) {
    const last = page.at(-1);
    if (page.length >= limit && last !== undefined) {
      return { listings: page, nextCursor: listingsCursorAfter(last, sortOf(query)) };
    }
    page.push(all.inFull(facts));
  }
  return { listings: page, nextCursor: null };
}

/** The facts of the matching listings in the order of the query and after its cursor, whatever its limit. */
export function* matching(
  listings: Listings,
  query: ListingsQuery,
  originators: Originators,
  filters: ListingsFilters = FILTERS,
): Generator<ListingFacts, undefined> {
  const accepts = matcherOf(query, originators, filters);
  const some = listings.among(query.status);
  yield* some.walk(sortOf(query), { status: onlyStatus(query), after: query.cursor, accepts });
}

function sortOf({ sort, cursor }: ListingsQuery): Sort {
  return sort ?? cursor?.sort ?? "newest";
}

export function countListings(
  listings: SomeListings,
  query: ListingsQuery,
  originators: Originators,
  filters: ListingsFilters = FILTERS,
): number {
  const all = Listings.of(listings).among(query.status);
  const only = onlyStatus(query);
  const tests = testsOf(only === null ? query : { ...query, status: undefined }, originators, filters);
  if (tests.length === 0) return only === null ? all.length : all.countOf(only);
  let count = 0;
  for (const facts of only === null ? all.facts() : all.walk("newest", { status: only }))
    if (tests.every((accepts) => accepts(facts))) count++;
  return count;
}

export function listingsCursorAfter(listing: Listing, sort: Sort): string {
  return encodeCursor({ sort, ...sortKeyOf(listing, sort) });
}

/** The only state that a query accepts, where it names just one. */
function onlyStatus({ status }: ListingsQuery): Status | null {
  return status?.length === 1 ? (status[0] ?? null) : null;
}

/** The tests that a listing must pass; none where the query does not filter. */
function testsOf(
  query: ListingsQuery,
  originators: Originators,
  filters: ListingsFilters,
): readonly Accepts[] {
  return Object.entries(filters).flatMap(([name, { accepts }]) => {
    const value = (query as Readonly<Record<string, unknown>>)[name];
    // Each filter takes values of its own field alone, which the type of this loop does not show.
    return value === undefined ? [] : (accepts(value as never, originators) ?? []);
  });
}

export function matcherOf(
  query: ListingsQuery,
  originators: Originators,
  filters: ListingsFilters = FILTERS,
): Accepts {
  const tests = testsOf(query, originators, filters);
  return (listing) => tests.every((accepts) => accepts(listing));
}

const cursorShape = z.tuple([
  z.enum(SORTS),
  z.string().regex(/^-?(0|[1-9]\d{0,99})$/),
  z.string().min(1).max(100),
]);

function encodeCursor({ sort, key, publicId }: ListingsCursor): string {
  return Buffer.from(JSON.stringify([sort, key.toString(), publicId])).toString("base64url");
}

/** Reads a cursor that `queryListings` returned. Null for any other text. */
export function decodeListingsCursor(text: string): ListingsCursor | null {
  if (!/^[\w-]{1,400}$/.test(text)) return null;
  try {
    const [sort, key, publicId] = cursorShape.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
    return { sort, key: BigInt(key), publicId };
  } catch {
    return null;
  }
}
