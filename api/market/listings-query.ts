/**
 * The listings query of every face: filters, order and page. Pure.
 * @module
 */
import { z } from "zod";
import { type Accepts, FILTERS, type ListingsFilters, type Originators } from "./listings-filters.ts";
import { comparePlaces, inOrder, type Place, placeOf, SORTS, type Sort } from "./listings-order.ts";
import { firstAtLeast } from "./ordered.ts";
import { type FieldValues, wordField } from "./query-field.ts";
import type { Listing, Status } from "./schema.ts";

export { type Originators, SORTS, type Sort };

/** The largest coupon that the chain can carry: 32 bits. Basis points. */
const LARGEST_COUPON = 2 ** 32 - 1;
/** The longest term that the chain can carry: 16 bits. Days. */
const LARGEST_TENOR = 2 ** 16 - 1;

/** Longer searches match nothing. Characters. */
const LONGEST_SEARCH = 200;

/** The originators of the listings, by public id: their names and countries are filtered by too. */
export type Originators = Lookup<Pick<Originator, "legalName" | "jurisdiction">>;

type Accepts = (listing: Listing) => boolean;

/** The test for a value of the field; null for a value that accepts every listing, such as an empty search. */
function filter<Schema extends z.ZodType, Field extends QueryField<Schema>>(
  field: Field & { schema: Schema },
  accepts: (value: Readonly<z.output<Schema>>, originators: Originators) => Accepts | null,
) {
  return { ...field, accepts };
}

/** A filter by one of these words in a listing. */
function wordsFilter<const Word extends string>(
  words: readonly Word[],
  wordOf: (listing: Listing, originators: Originators) => string | undefined,
  about: Pick<QueryField, "description" | "example">,
) {
  return filter(wordsField(words, about), (chosen, originators) => {
    const accepted = new Set<string | undefined>(chosen);
    return accepted.size === 0 ? null : (listing) => accepted.has(wordOf(listing, originators));
  });
}

/** Each filter once: its field, and the listings that a value accepts. */
const FILTERS = {
  q: filter(
    {
      schema: z.string().max(LONGEST_SEARCH),
      allowed: [`at most ${LONGEST_SEARCH} characters`],
      description:
        "Only raises with every one of these words in their title, refnum or public id, or in the name of the originator; case and accents do not matter",
      example: "bakery oven",
    },
    (q, originators) => {
      const words = withoutCaseAndAccents(q).split(/\s+/).filter(Boolean);
      return words.length === 0 ? null : (listing) => contains(listing, words, originators);
    },
  ),
  status: wordsFilter(STATUSES, ({ status }) => status, {
    description: "Only these states",
    example: ["live", "funding"],
  }),
  grade: wordsFilter(GRADES, ({ originatorGrade }) => originatorGrade, {
    description: "Only these grades of the originator",
    example: ["A", "B"],
  }),
  originator: filter(
    {
      schema: originatorSchema.shape.publicId,
      allowed: ["the public id of an originator, such as org_northwind"],
      description: "Only raises of this originator",
      example: "org_northwind",
    },
    (publicId) =>
      ({ originator }) =>
        originator === publicId,
  ),
  jurisdiction: wordsFilter(
    COUNTRY_CODES,
    ({ originator }, originators) => originators.get(originator)?.jurisdiction,
    { description: "Only originators of these countries, ISO 3166-1 alpha-2", example: ["SG", "DE"] },
  ),
  repayment: wordsFilter(REPAYMENTS, ({ repayment }) => repayment, {
    description: "Only these states of repayment",
    example: ["late", "default"],
  }),
  minCouponBps: filter(
    integerField(0, LARGEST_COUPON, {
      description: "Lowest coupon, basis points per year (1450 = 14.50%)",
      example: 1200,
    }),
    (least) =>
      ({ couponRateBps }) =>
        couponRateBps >= least,
  ),
  maxTenorDays: filter(
    integerField(0, LARGEST_TENOR, { description: "Longest term in days", example: 180 }),
    (most) =>
      ({ tenorDays }) =>
        tenorDays <= most,
  ),
  /** A listing without a closing time never closes before it. */
  closingBefore: filter(
    textField(parseTime, TIME_FORM, {
      description:
        "Only raises with a closing time before this time or date, in ISO 8601 (a date is its start in UTC)",
      example: "2026-03-01T12:00:00Z",
    }),
    (limit) =>
      ({ closeAt }) =>
        isBefore(closeAt, limit),
  ),
  /** A raise without principal owed is never due. */
  dueBefore: filter(
    textField(parseTime, TIME_FORM, {
      description:
        "Only raises that still owe principal and are due before this time or date, overdue ones included, in ISO 8601 (a date is its start in UTC)",
      example: "2026-04-01T12:00:00Z",
    }),
    (limit) =>
      ({ outstandingPrincipal, maturityAt }) =>
        outstandingPrincipal !== "0" && isBefore(maturityAt, limit),
  ),
};

/** Filters and order of listings. A field that is not given does not filter. */
export const LISTINGS_FIELDS = { ...FILTERS, sort: LISTINGS_SORT };

/** Filters, order and page. Coupons in basis points, times in unix seconds. */
export type ListingsQuery = FieldValues<typeof LISTINGS_FIELDS> & {
  /** all when not given */
  limit?: number | undefined;
  cursor?: ListingsCursor | undefined;
};

/** A position in an order: the next page begins after it, even if earlier items have changed. */
export type ListingsCursor = Place & { sort: Sort };

export type ListingsPage = { listings: readonly Listing[]; nextCursor: string | null };

/** Whether the cursor belongs to another order than `sort`. Without `sort` the cursor's own order applies. */
export function isOfAnotherOrder({ sort, cursor }: Pick<ListingsQuery, "sort" | "cursor">): boolean {
  return sort !== undefined && cursor !== undefined && cursor.sort !== sort;
}

/** The matching listings in the order of the query; ties by `publicId`. */
export function queryListings(
  listings: readonly Listing[],
  query: ListingsQuery,
  originators: Originators,
  filters: ListingsFilters = FILTERS,
): ListingsPage {
  const { sort = query.cursor?.sort ?? "newest", limit = Number.POSITIVE_INFINITY, cursor } = query;
  const ordered = inOrder(listings, sort, onlyStatus(query));
  const isMatch = matcherOf(query, originators, filters);
  let at =
    cursor === undefined
      ? 0
      : firstAtLeast(ordered, (listing) => (comparePlaces(placeOf(listing, sort), cursor) > 0 ? 0 : -1));
  const page: Listing[] = [];
  for (; at < ordered.length; at++) {
    const listing = ordered[at] as Listing;
    if (!isMatch(listing)) continue;
    const last = page.at(-1);
    if (page.length >= limit && last !== undefined) {
      return { listings: page, nextCursor: listingsCursorAfter(last, sort) };
    }
    page.push(listing);
  }
  return { listings: page, nextCursor: null };
}

/** How many listings match, on all pages together. */
export function countListings(
  listings: readonly Listing[],
  query: ListingsQuery,
  originators: Originators,
  filters: ListingsFilters = FILTERS,
): number {
  const only = onlyStatus(query);
  const candidates = inOrder(listings, "newest", only);
  const tests = testsOf(only === null ? query : { ...query, status: undefined }, originators, filters);
  if (tests.length === 0) return candidates.length;
  return candidates.filter((listing) => tests.every((accepts) => accepts(listing))).length;
}

/** The cursor of the page that begins after this listing. */
export function listingsCursorAfter(listing: Listing, sort: Sort): string {
  return encodeCursor({ sort, ...placeOf(listing, sort) });
}

/** The only state that a query accepts, where it names just one. */
function onlyStatus({ status }: ListingsQuery): Status | null {
  return status?.length === 1 ? (status[0] ?? null) : null;
}

/** The tests that a listing must pass; none where the query does not filter. */
function testsOf(query: ListingsQuery, originators: Originators): readonly Accepts[] {
  return Object.entries(FILTERS).flatMap(([name, { accepts }]) => {
    const value = query[name as keyof typeof FILTERS];
    // Each filter takes values of its own field alone, which the type of this loop does not show.
    const test = accepts as (value: unknown, originators: Originators) => Accepts | null;
    return value === undefined ? [] : (test(value, originators) ?? []);
  });
}

/** Whether a listing matches every filter of a query. */
export function matcherOf(
  query: ListingsQuery,
  originators: Originators,
  filters: ListingsFilters = FILTERS,
): Accepts {
  const tests = testsOf(query, originators, filters);
  return (listing) => tests.every((accepts) => accepts(listing));
}

/** Whether a time is before the limit; no time never is. */
function isBefore(time: string | null, limit: bigint): boolean {
  return time !== null && secondsOf(time) < limit;
}

/** The searchable text of a listing, cached with the name it was built from, since searches run at each typed letter. */
const texts = new WeakMap<Listing, { name: string; text: string }>();

function contains(listing: Listing, words: readonly string[], originators: Originators): boolean {
  const name = originators.get(listing.originator)?.legalName ?? "";
  let kept = texts.get(listing);
  if (kept?.name !== name) {
    const { title, refnum, publicId } = listing;
    kept = { name, text: withoutCaseAndAccents([title, refnum, publicId, name].join(" ")) };
    texts.set(listing, kept);
  }
  const { text } = kept;
  return words.every((word) => text.includes(word));
}

const cursorShape = z.tuple([
  z.enum(SORTS),
  z.string().regex(/^-?(0|[1-9]\d{0,99})$/),
  z.string().min(1).max(100),
]);

function encodeCursor({ sort, key, publicId }: ListingsCursor): string {
  return Buffer.from(JSON.stringify([sort, key.toString(), publicId])).toString("base64url");
}

/** Reads a cursor that `queryListings` returned; null for any other text. */
export function decodeListingsCursor(text: string): ListingsCursor | null {
  if (!/^[\w-]{1,400}$/.test(text)) return null;
  try {
    const [sort, key, publicId] = cursorShape.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
    return { sort, key: BigInt(key), publicId };
  } catch {
    return null;
  }
}
