/**
 * Filters, orders and pages of listings: the same for every face. Pure.
 * @module
 */
import { z } from "zod";
import type { Grade, Listing, Status } from "./schema.ts";

export const SORTS = ["newest", "closing_soon", "most_raised", "most_subscribers", "highest_coupon"] as const;
export type Sort = (typeof SORTS)[number];

/** Which listings, in which order. What is not given does not filter. */
export type ListingsQuery = {
  status?: ReadonlySet<Status> | undefined;
  grade?: ReadonlySet<Grade> | undefined;
  /** public id */
  originator?: string | undefined;
  minCouponBps?: number | undefined;
  /** unix seconds; a listing without a closing time never closes before it */
  closingBefore?: bigint | undefined;
  sort?: Sort | undefined;
  /** all when not given */
  limit?: number | undefined;
  cursor?: ListingsCursor | undefined;
};

/** A place in an order: the next page has what comes after it, whatever has changed before it. */
export type ListingsCursor = { sort: Sort; key: bigint; publicId: string };

export type ListingsPage = { listings: readonly Listing[]; nextCursor: string | null };

/** The listings that fit, in the order asked for; ties by `publicId`. */
export function queryListings(listings: readonly Listing[], query: ListingsQuery): ListingsPage {
  const { sort = query.cursor?.sort ?? "newest", limit, cursor } = query;
  const keyOf = KEYS[sort];
  const found = listings
    .filter((listing) => fits(listing, query))
    .map((listing): Placed => ({ listing, place: { key: keyOf(listing), publicId: listing.publicId } }))
    .filter(({ place }) => cursor === undefined || comparePlaces(place, cursor) > 0)
    .sort((a, b) => comparePlaces(a.place, b.place));
  const page = limit === undefined ? found : found.slice(0, limit);
  const last = page.at(-1);
  const isMore = page.length < found.length && last !== undefined;
  return {
    listings: page.map(({ listing }) => listing),
    nextCursor: isMore ? encodeCursor({ sort, ...last.place }) : null,
  };
}

/** How many listings fit, on all pages together. */
export function countListings(listings: readonly Listing[], query: ListingsQuery): number {
  return listings.filter((listing) => fits(listing, query)).length;
}

type Place = Pick<ListingsCursor, "key" | "publicId">;
type Placed = { listing: Listing; place: Place };

function fits(listing: Listing, query: ListingsQuery): boolean {
  const { status, grade, originator, minCouponBps, closingBefore } = query;
  if (status !== undefined && !status.has(listing.status)) return false;
  if (grade !== undefined && !grade.has(listing.originatorGrade)) return false;
  if (originator !== undefined && listing.originator !== originator) return false;
  if (minCouponBps !== undefined && listing.couponRateBps < minCouponBps) return false;
  if (closingBefore === undefined) return true;
  return listing.closeAt !== null && secondsOf(listing.closeAt) < closingBefore;
}

/** Later than any closing time: raises without one, and raises that take no money any more. */
const NEVER = 2n ** 64n;

/** What each order goes by, lowest first. */
const KEYS: Record<Sort, (listing: Listing) => bigint> = {
  newest: ({ goLiveAt }) => -secondsOf(goLiveAt),
  closing_soon: ({ acceptsMoney, closeAt }) =>
    (acceptsMoney ? 0n : 2n * NEVER) + (closeAt === null ? NEVER : secondsOf(closeAt)),
  most_raised: ({ raisedAmount }) => -BigInt(raisedAmount),
  most_subscribers: ({ subscriberCount }) => BigInt(-subscriberCount),
  highest_coupon: ({ couponRateBps }) => BigInt(-couponRateBps),
};

function comparePlaces(a: Place, b: Place): number {
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
export function decodeCursor(text: string): ListingsCursor | null {
  if (!/^[\w-]{1,400}$/.test(text)) return null;
  try {
    const [sort, key, publicId] = cursorShape.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
    return { sort, key: BigInt(key), publicId };
  } catch {
    return null;
  }
}
