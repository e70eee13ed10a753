/**
 * Pages of the market: of listings, of originators, of the secondary desk, of payments.
 * @module
 */
import {
  countListings,
  decodeListingsCursor,
  isOfAnotherOrder,
  LISTINGS_FIELDS,
  type ListingsQuery,
  listingsCursorAfter,
  type Originators,
  queryListings,
} from "../market/listings-query.ts";
import type { Market } from "../market/market.ts";
import {
  countOriginators,
  decodeOriginatorsCursor,
  ORIGINATORS_FIELDS,
  originatorsCursorAfter,
  queryOriginators,
} from "../market/originators-query.ts";
import { PAGE_LENGTH } from "../market/query-field.ts";
import type { Listing, Originator, Schedule } from "../market/schema.ts";
import {
  type Arguments,
  argumentsOf,
  cursorField,
  PAGE_LIMIT,
  PAGE_LIMIT_TYPE,
  PAGE_TYPES,
  readArguments,
  someWords,
} from "./arguments.ts";
import { createConnection } from "./connection.ts";

const LISTINGS_CURSOR = "the endCursor of a page of this field, with the same order";
const LISTINGS = {
  after: cursorField(decodeListingsCursor, LISTINGS_CURSOR),
  ...LISTINGS_FIELDS,
  status: someWords(LISTINGS_FIELDS.status),
  grade: someWords(LISTINGS_FIELDS.grade),
  jurisdiction: someWords(LISTINGS_FIELDS.jurisdiction),
  repayment: someWords(LISTINGS_FIELDS.repayment),
  first: PAGE_LIMIT,
};
const ORIGINATORS = {
  ...ORIGINATORS_FIELDS,
  grade: someWords(ORIGINATORS_FIELDS.grade),
  first: PAGE_LIMIT,
  after: cursorField(decodeOriginatorsCursor, "the endCursor of a page of this field"),
};

const STATUS = { q: "String", status: "[ListingStatus!]", repayment: "[Repayment!]" };
const ORDER = {
  minCouponBps: "SafeInt",
  maxTenorDays: "SafeInt",
  closingBefore: "DateTime",
  dueBefore: "DateTime",
  sort: "ListingSort",
  ...PAGE_TYPES,
};
/** The arguments of each field in GraphQL's schema language: all listings, and those of one originator. */
export const LISTINGS_ARGUMENTS = argumentsOf(LISTINGS, {
  ...STATUS,
  grade: "[Grade!]",
  originator: "String",
  jurisdiction: "[String!]",
  ...ORDER,
});
export const OWN_LISTINGS_ARGUMENTS = argumentsOf(LISTINGS, { ...STATUS, ...ORDER });
export const DESK_ARGUMENTS = argumentsOf(LISTINGS, PAGE_TYPES);
export const ORIGINATORS_ARGUMENTS = argumentsOf(ORIGINATORS, {
  grade: "[Grade!]",
  jurisdiction: "String",
  ...PAGE_TYPES,
});

const PAYMENTS = { last: PAGE_LIMIT };
export const PAYMENTS_ARGUMENTS = argumentsOf(PAYMENTS, { last: PAGE_LIMIT_TYPE });

/** The page of these listings for the arguments. */
export function listingsPage(listings: readonly Listing[], args: Arguments, originators: Originators) {
  return createConnection(queryPage(listings, args, originators));
}

/** A page of the desk's listings, the newest first. */
export function deskPage(
  {
    trading,
    listings,
    listingByPublicId,
    originatorByPublicId,
  }: Pick<Market, "trading" | "listings" | "listingByPublicId" | "originatorByPublicId">,
  { first, after }: Arguments,
) {
  const onDesk = new Map(trading.listings.map((one) => [one.publicId, one]));
  const page = queryPage(
    listings.filter(({ publicId }) => onDesk.has(publicId)),
    { sort: "newest", first, after },
    originatorByPublicId,
  );
  return createConnection({
    ...page,
    nodes: page.nodes.flatMap(({ publicId }) => onDesk.get(publicId) ?? []),
    cursorOf({ publicId }) {
      const listing = listingByPublicId.get(publicId);
      if (listing === undefined) throw new Error(`${publicId} is on the desk and not in the market`);
      return page.cursorOf(listing);
    },
  });
}

/** The page of these originators for the arguments, by public id. */
export function originatorsPage(all: readonly Originator[], args: Arguments) {
  const { first: limit = PAGE_LENGTH, after: cursor, ...filters } = readArguments(ORIGINATORS, args);
  const { originators, nextCursor } = queryOriginators(all, { ...filters, limit, cursor });
  return createConnection({
    nodes: originators,
    cursorOf: originatorsCursorAfter,
    nextCursor,
    totalCount: () => countOriginators(all, filters),
  });
}

/** The last payments, oldest first. */
export function latestPayments(payments: Schedule["payments"], args: Arguments): Schedule["payments"] {
  const { last = PAGE_LENGTH } = readArguments(PAYMENTS, args);
  return payments.slice(-last);
}

function queryPage(all: readonly Listing[], args: Arguments, originators: Originators) {
  const {
    first: limit = PAGE_LENGTH,
    after: cursor,
    ...filters
  } = readArguments(LISTINGS, args, orderMismatch);
  const query: ListingsQuery = { ...filters, limit, cursor };
  const { sort = cursor?.sort ?? "newest" } = query;
  const { listings: nodes, nextCursor } = queryListings(all, query, originators);
  return {
    nodes,
    cursorOf: (listing: Listing) => listingsCursorAfter(listing, sort),
    nextCursor,
    totalCount: () => countListings(all, query, originators),
  };
}

function orderMismatch({
  sort,
  after: cursor,
}: Pick<ListingsQuery, "sort"> & { after?: ListingsQuery["cursor"] }) {
  if (!isOfAnotherOrder({ sort, cursor })) return [];
  const detail = `It is of the order ${cursor?.sort}, not of ${sort}. Allowed: ${LISTINGS_CURSOR}.`;
  return [{ parameter: "after", detail, allowed: [LISTINGS_CURSOR] }];
}
