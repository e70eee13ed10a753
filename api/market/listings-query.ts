/**
 * The listings query of every face: its fields and their meaning. Pure.
 * @module
 */
import { z } from "zod";
import { parseTime, TIME_FORM } from "../../format/time.ts";
import { type FieldValues, integerField, isAmong, textField, wordField, wordsField } from "./query-field.ts";
import { GRADES, type Listing, originatorSchema, STATUSES } from "./schema.ts";

export const SORTS = ["newest", "closing_soon", "most_raised", "most_subscribers", "highest_coupon"] as const;
export type Sort = (typeof SORTS)[number];

/** The largest coupon that the chain can carry: 32 bits. Basis points. */
const LARGEST_COUPON = 2 ** 32 - 1;

/** Filters and order of listings. A field that is not given does not filter. */
export const LISTINGS_FIELDS = {
  status: wordsField(STATUSES, { description: "Only these states", example: ["live", "funding"] }),
  grade: wordsField(GRADES, { description: "Only these grades of the originator", example: ["A", "B"] }),
  originator: {
    schema: originatorSchema.shape.publicId,
    allowed: ["the public id of an originator, such as org_northwind"],
    description: "Only raises of this originator",
    example: "org_northwind",
  },
  minCouponBps: integerField(0, LARGEST_COUPON, {
    description: "Lowest coupon, basis points per year (1450 = 14.50 %)",
    example: 1200,
  }),
  /** A listing without a closing time never closes before it. */
  closingBefore: textField(parseTime, TIME_FORM, {
    description: "Only raises with a closing time before this one, in ISO 8601",
    example: "2026-03-01T12:00:00Z",
  }),
  sort: wordField(SORTS, {
    description: "Order, ties by public id; `newest` when not given",
    example: "closing_soon",
  }),
};

/** Filters, order and page. Coupons in basis points, times in unix seconds. */
export type ListingsQuery = FieldValues<typeof LISTINGS_FIELDS> & {
  /** all when not given */
  limit?: number | undefined;
  cursor?: ListingsCursor | undefined;
};

/** A position in an order: the next page begins after it, whatever has changed before it. */
export type ListingsCursor = { sort: Sort; key: bigint; publicId: string };

export type ListingsPage = { listings: readonly Listing[]; nextCursor: string | null };

/** Whether the cursor belongs to another order than `sort`. Without `sort` the cursor's own order applies. */
export function isOfAnotherOrder({ sort, cursor }: Pick<ListingsQuery, "sort" | "cursor">): boolean {
  return sort !== undefined && cursor !== undefined && cursor.sort !== sort;
}

/** The matching listings in the order of the query; ties by `publicId`. */
export function queryListings(listings: readonly Listing[], query: ListingsQuery): ListingsPage {
  const { sort = query.cursor?.sort ?? "newest", limit, cursor } = query;
  const matching = listings
    .filter((listing) => matches(listing, query))
    .map((listing) => ({ listing, place: placeOf(listing, sort) }))
    .filter(({ place }) => cursor === undefined || comparePlaces(place, cursor) > 0)
    .sort((a, b) => comparePlaces(a.place, b.place));
  const page = limit === undefined ? matching : matching.slice(0, limit);
  const last = page.at(-1);
  const isMore = page.length < matching.length && last !== undefined;
  return {
    listings: page.map(({ listing }) => listing),
    nextCursor: isMore ? encodeCursor(last.place) : null,
  };
}

/** How many listings match, on all pages together. */
export function countListings(listings: readonly Listing[], query: ListingsQuery): number {
  return listings.filter((listing) => matches(listing, query)).length;
}

/** The cursor of the page that begins after this listing. */
export function listingsCursorAfter(listing: Listing, sort: Sort): string {
  return encodeCursor(placeOf(listing, sort));
}

function matches(listing: Listing, query: ListingsQuery): boolean {
  const { status, grade, originator, minCouponBps, closingBefore } = query;
  if (!isAmong(status, listing.status) || !isAmong(grade, listing.originatorGrade)) return false;
  if (originator !== undefined && listing.originator !== originator) return false;
  if (minCouponBps !== undefined && listing.couponRateBps < minCouponBps) return false;
  if (closingBefore === undefined) return true;
  return listing.closeAt !== null && secondsOf(listing.closeAt) < closingBefore;
}

/** Later than any closing time: for raises without one, and raises that no longer accept money. */
const NEVER = 2n ** 64n;

/** The key of each order, lowest first. */
const KEYS: Record<Sort, (listing: Listing) => bigint> = {
  newest: ({ goLiveAt }) => -secondsOf(goLiveAt),
  closing_soon: ({ acceptsMoney, closeAt }) =>
    (acceptsMoney ? 0n : 2n * NEVER) + (closeAt === null ? NEVER : secondsOf(closeAt)),
  most_raised: ({ raisedAmount }) => -BigInt(raisedAmount),
  most_subscribers: ({ subscriberCount }) => BigInt(-subscriberCount),
  highest_coupon: ({ couponRateBps }) => BigInt(-couponRateBps),
};

function placeOf(listing: Listing, sort: Sort): ListingsCursor {
  return { sort, key: KEYS[sort](listing), publicId: listing.publicId };
}

/** Of two places in one order. */
function comparePlaces(a: ListingsCursor, b: ListingsCursor): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  if (a.publicId === b.publicId) return 0;
  return a.publicId < b.publicId ? -1 : 1;
}

function secondsOf(isoTime: string): bigint {
  return BigInt(Date.parse(isoTime) / 1000);
}

const cursorShape = z.tuple([
  z.enum(SORTS),
  z.string().regex(/^-?(0|[1-9]\d{0,99})$/),
  z.string().min(1).max(100),
]);

function encodeCursor({ sort, key, publicId }: ListingsCursor): string {
  return Buffer.from(JSON.stringify([sort, key.toString(), publicId])).toString("base64url");
}

/** Reads a cursor that `queryListings` gave out; null when it is none. */
export function decodeListingsCursor(text: string): ListingsCursor | null {
  if (!/^[\w-]{1,400}$/.test(text)) return null;
  try {
    const [sort, key, publicId] = cursorShape.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
    return { sort, key: BigInt(key), publicId };
  } catch {
    return null;
  }
}
