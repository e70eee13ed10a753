/**
 * Pages of listings and of what the secondary desk says of them: their arguments, and how they are found.
 * @module
 */

import {
  countListings,
  decodeListingsCursor,
  type ListingsQuery,
  queryListings,
  type Sort,
} from "../market/listings-query.ts";
import type { Market } from "../market/project.ts";
import type { Grade, Listing, Status } from "../market/schema.ts";
import type { Trading } from "../market/trading-schema.ts";
import { parseTime } from "../time.ts";
import type { AnswerTypes } from "./answer-types.ts";
import { type Given, readArguments } from "./arguments.ts";
import { type Connection, PAGE_ARGUMENTS } from "./connection.ts";
import {
  type GraphQLFieldConfigArgumentMap,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
} from "./graphql-js.ts";
import { dateTimeScalar, safeIntScalar } from "./scalars.ts";

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

/** What a page of an originator's listings takes. */
export function ownListingsArguments(types: AnswerTypes): GraphQLFieldConfigArgumentMap {
  return {
    status: {
      type: new GraphQLList(new GraphQLNonNull(types.enum("ListingStatus"))),
      description: "Only these states.",
    },
    minCouponBps: {
      type: safeIntScalar,
      description: "Only coupons of at least so many basis points per annum.",
    },
    closingBefore: {
      type: dateTimeScalar,
      description: "Only raises that have a closing time before this time.",
    },
    sort: { type: types.enum("ListingSort"), description: "The order; `newest` when not given." },
    ...PAGE_ARGUMENTS,
  };
}

/** What a page of all listings takes. */
export function listingsArguments(types: AnswerTypes): GraphQLFieldConfigArgumentMap {
  const { status, ...rest } = ownListingsArguments(types);
  return {
    ...(status === undefined ? {} : { status }),
    grade: {
      type: new GraphQLList(new GraphQLNonNull(types.enum("Grade"))),
      description: "Only these grades of the originator.",
    },
    originator: { type: GraphQLString, description: "Only raises of the originator with this public id." },
    ...rest,
  };
}

/** The page of these listings that the arguments ask for. */
export function listingsPage(listings: readonly Listing[], args: ListingsArguments): Connection<Listing> {
  const query = readListingsArguments(args);
  const { sort = query.cursor?.sort ?? "newest" } = query;
  const page = queryListings(listings, query);
  const last = page.listings.at(-1);
  return {
    nodes: page.listings,
    cursorOf: (listing) => cursorAfter(listing, sort),
    hasNextPage: page.nextCursor !== null,
    endCursor: page.nextCursor ?? (last === undefined ? null : cursorAfter(last, sort)),
    countAll: () => countListings(listings, query),
  };
}

/** The page of the desk's listings that the arguments ask for: the newest first. */
export function deskPage(
  { trading, listings, listingByPublicId }: Pick<Market, "trading" | "listings" | "listingByPublicId">,
  { first, after }: Pick<ListingsArguments, "first" | "after">,
): Connection<Trading["listings"][number]> {
  const onDesk = new Map(trading.listings.map((one) => [one.publicId, one]));
  const page = listingsPage(
    listings.filter(({ publicId }) => onDesk.has(publicId)),
    { sort: "newest", first, after },
  );
  return {
    ...page,
    nodes: page.nodes.flatMap(({ publicId }) => onDesk.get(publicId) ?? []),
    cursorOf({ publicId }) {
      const listing = listingByPublicId.get(publicId);
      if (listing === undefined) throw new Error(`${publicId} is on the desk and not in the market`);
      return page.cursorOf(listing);
    },
  };
}

function readListingsArguments(args: ListingsArguments): ListingsQuery {
  const reader = readArguments();
  const cursor = reader.read("after", args.after, decodeListingsCursor, [CURSOR_FORM]);
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
