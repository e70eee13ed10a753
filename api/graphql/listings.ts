/**
 * Pages of listings and of what the secondary desk says of them: their arguments, and how they are found.
 * @module
 */

import { parseTime } from "../market/moment.ts";
import type { Market } from "../market/project.ts";
import {
  countListings,
  decodeCursor,
  type ListingsQuery,
  queryListings,
  type Sort,
} from "../market/listings-query.ts";
import type { Grade, Listing, Status } from "../market/schema.ts";
import { type Given, readArguments } from "./arguments.ts";
import { createConnection, PAGE_ARGUMENTS } from "./connection.ts";

export type ListingsArguments = {
  status?: Given<readonly Status[]>;
  grade?: Given<readonly Grade[]>;
  originator?: Given<string>;
  minCouponBps?: Given<number>;
  closingBefore?: Given<string>;
  sort?: Given<Sort>;
  first?: Given<number>;
  after?: Given<string>;
};

/** The largest coupon that the chain can carry: 32 bits. */
const LARGEST_COUPON = 2 ** 32 - 1;
const CURSOR_FORM = "the endCursor of a page of this field, with the same order";

const STATUS = `"Only these states." status: [ListingStatus!]`;
const FILTERS = `
  "Only coupons of at least so many basis points per annum."
  minCouponBps: SafeInt
  "Only raises that have a closing time before this time."
  closingBefore: DateTime
  "The order; \`newest\` when not given."
  sort: ListingSort`;

/** The arguments of the field of an originator's listings, in GraphQL's schema language. */
export const OWN_LISTINGS_ARGUMENTS = `${STATUS} ${FILTERS} ${PAGE_ARGUMENTS}`;

/** The arguments of the field of all listings. */
export const LISTINGS_ARGUMENTS = `${STATUS}
  "Only these grades of the originator."
  grade: [Grade!]
  "Only raises of the originator with this public id."
  originator: String
  ${FILTERS} ${PAGE_ARGUMENTS}`;

/** The page of these listings that the arguments ask for. */
export function listingsPage(listings: readonly Listing[], args: ListingsArguments) {
  const query = readListingsArguments(args);
  return createConnection({
    ...queryPage(listings, query),
    totalCount: () => countListings(listings, query),
  });
}

/** The page of the desk's listings that the arguments ask for: the newest first. */
export function deskPage(
  { trading, listings, listingByPublicId }: Pick<Market, "trading" | "listings" | "listingByPublicId">,
  { first, after }: Pick<ListingsArguments, "first" | "after">,
) {
  const onDesk = new Map(trading.listings.map((one) => [one.publicId, one]));
  const traded = listings.filter(({ publicId }) => onDesk.has(publicId));
  const { nodes, cursorOf, nextCursor } = queryPage(
    traded,
    readListingsArguments({ sort: "newest", first, after }),
  );
  return createConnection({
    nodes: nodes.flatMap(({ publicId }) => onDesk.get(publicId) ?? []),
    cursorOf({ publicId }) {
      const listing = listingByPublicId.get(publicId);
      if (listing === undefined) throw new Error(`${publicId} is on the desk and not in the market`);
      return cursorOf(listing);
    },
    nextCursor,
    totalCount: () => traded.length,
  });
}

function queryPage(listings: readonly Listing[], query: ListingsQuery) {
  const { sort = query.cursor?.sort ?? "newest" } = query;
  const { listings: nodes, nextCursor } = queryListings(listings, query);
  return { nodes, nextCursor, cursorOf: (listing: Listing) => cursorAfter(listing, sort) };
}

function readListingsArguments(args: ListingsArguments): ListingsQuery {
  const reader = readArguments();
  const cursor = reader.read("after", args.after, decodeCursor, [CURSOR_FORM]);
  const query: ListingsQuery = {
    status: reader.some("status", args.status),
    grade: reader.some("grade", args.grade),
    originator: reader.read(
      "originator",
      args.originator,
      (text) => (/^org_[A-Za-z0-9_-]{1,64}$/.test(text) ? text : null),
      ["the public id of an originator, such as org_northwind"],
    ),
    minCouponBps: reader.read(
      "minCouponBps",
      args.minCouponBps,
      (rate) => (rate >= 0 && rate <= LARGEST_COUPON ? rate : null),
      [`an integer from 0 to ${LARGEST_COUPON}`],
    ),
    closingBefore: reader.read("closingBefore", args.closingBefore, parseTime, [
      "a time such as 2026-03-01T12:00:00Z",
    ]),
    sort: args.sort ?? undefined,
    limit: reader.length("first", args.first),
    cursor,
  };
  if (query.sort !== undefined && cursor !== undefined && cursor.sort !== query.sort) {
    const detail = `It is of the order ${cursor.sort}, not of ${query.sort}.`;
    reader.refuse({ parameter: "after", detail, allowed: [CURSOR_FORM] });
  }
  reader.end();
  return query;
}

/** Where a page begins that has what comes after this listing. */
function cursorAfter(listing: Listing, sort: Sort): string {
  // A page of this one alone, with another behind it, ends there: only pages give cursors out.
  const behind = { ...listing, publicId: `${listing.publicId}~` };
  const { nextCursor } = queryListings([listing, behind], { sort, limit: 1 });
  if (nextCursor === null) throw new Error("a page that is not the last one has a cursor");
  return nextCursor;
}
