/** @module Pages of the market: of listings, of originators, of the secondary desk, of payments. */
import { z } from "zod";
import type { SomeListings } from "../market/listings.ts";
import {
  FILTERS,
  type ListingsFilter,
  type ListingsFilters,
  mapFilters,
  type Originators,
} from "../market/listings-filters.ts";
import {
  countListings,
  decodeListingsCursor,
  isOfAnotherOrder,
  LISTINGS_SORT,
  type ListingsCursor,
  type ListingsPage,
  type ListingsQuery,
  listingsCursorAfter,
  queryListings,
} from "../market/listings-query.ts";
import type { Market } from "../market/market.ts";
import { countMarket, queryMarket } from "../market/market-query.ts";
import type { Originator } from "../market/originator.ts";
import {
  countOriginators,
  decodeOriginatorsCursor,
  ORIGINATORS_FIELDS,
  originatorsCursorAfter,
  queryOriginators,
} from "../market/originators-query.ts";
import { PACES } from "../market/pace.ts";
import { PAGE_LENGTH } from "../market/query-field.ts";
import { GRADES, type Listing, REPAYMENTS, type Schedule, STATUSES } from "../market/schema.ts";
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
import type { Work } from "./work.ts";

const LISTINGS_CURSOR = "the endCursor of a page of this field, with the same order";
/** The words of these filters are types of the schema; those of others are texts. */
const WORD_TYPES = new Map<readonly string[], string>([
  [STATUSES, "ListingStatus"],
  [GRADES, "Grade"],
  [REPAYMENTS, "Repayment"],
  [PACES, "Pace"],
]);

/** The fields of these filters, with order and page, and their arguments in GraphQL's schema language. */
export function listingsArguments(filters: ListingsFilters) {
  const fields = {
    after: cursorField(decodeListingsCursor, LISTINGS_CURSOR),
    ...mapFilters(filters, ({ schema, ...filter }) =>
      schema instanceof z.ZodArray ? someWords({ ...filter, schema }) : { ...filter, schema },
    ),
    sort: LISTINGS_SORT,
    first: PAGE_LIMIT,
  };
  const typeOf = (filter: ListingsFilter) => {
    if (filter.schema instanceof z.ZodArray) return `[${WORD_TYPES.get(filter.allowed) ?? "String"}!]`;
    return { integer: "SafeInt", time: "DateTime" }[filter.kind as string] ?? "String";
  };
  const order = { sort: "ListingSort", ...PAGE_TYPES };
  const own = Object.fromEntries(Object.entries(filters).filter(([, filter]) => !filter.isOfOriginator));
  return {
    fields,
    /** of all listings */
    all: argumentsOf<string>(fields, { ...mapFilters(filters, typeOf), ...order }),
    /** of those of one originator */
    own: argumentsOf<string>(fields, { ...mapFilters(own, typeOf), ...order }),
    page: argumentsOf<string>(fields, PAGE_TYPES),
  };
}

const ORIGINATORS = {
  ...ORIGINATORS_FIELDS,
  grade: someWords(ORIGINATORS_FIELDS.grade),
  first: PAGE_LIMIT,
  after: cursorField(decodeOriginatorsCursor, "the endCursor of a page of this field"),
};

const LISTINGS = listingsArguments(FILTERS);
export const LISTINGS_ARGUMENTS = LISTINGS.all;
export const OWN_LISTINGS_ARGUMENTS = LISTINGS.own;
export const DESK_ARGUMENTS = LISTINGS.page;
export const ORIGINATORS_ARGUMENTS = argumentsOf(ORIGINATORS, {
  grade: "[Grade!]",
  jurisdiction: "String",
  ...PAGE_TYPES,
});

const PAYMENTS = { last: PAGE_LIMIT };
export const PAYMENTS_ARGUMENTS = argumentsOf(PAYMENTS, { last: PAGE_LIMIT_TYPE });

/** The page of all listings for the arguments. */
export function marketPage(market: Market, args: Arguments, work: Work) {
  return filteredPage(args, work, {
    page: (query) => queryMarket(market, query, work.filters),
    count: (query) => countMarket(market, query, work.filters),
  });
}

/** The page of some listings, such as those of an originator. */
export function listingsPage(listings: SomeListings, args: Arguments, originators: Originators, work: Work) {
  return filteredPage(args, work, {
    page: (query) => queryListings(listings, query, originators, work.filters),
    count: (query) => countListings(listings, query, originators, work.filters),
  });
}

/** Only a page with a filter may have to look at every listing. */
function filteredPage(args: Arguments, work: Work, queried: Queried) {
  const makePage = () => createConnection(queryPage(args, queried));
  return Object.keys(FILTERS).some((name) => args[name] != null) ? work.inTurn(makePage) : makePage();
}

/** A page of the desk's listings, the newest first. */
export function deskPage(
  {
    trading,
    listingByPublicId,
    originatorByPublicId,
  }: Pick<Market, "trading" | "listingByPublicId" | "originatorByPublicId">,
  { first, after }: Arguments,
) {
  const onDesk = new Map(trading.listings.map((one) => [one.publicId, one]));
  const listings = trading.listings.flatMap(({ publicId }) => listingByPublicId.get(publicId) ?? []);
  const page = queryPage(
    { sort: "newest", first, after },
    {
      page: (query) => queryListings(listings, query, originatorByPublicId),
      count: () => listings.length,
    },
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
    after: cursor,
    totalCount: () => countOriginators(all, filters),
  });
}

export function latestPayments(payments: Schedule["payments"], args: Arguments): Schedule["payments"] {
  const { last = PAGE_LENGTH } = readArguments(PAYMENTS, args);
  return payments.slice(-last);
}

type Queried = { page(query: ListingsQuery): ListingsPage; count(query: ListingsQuery): number };

function queryPage(args: Arguments, queried: Queried) {
  const {
    first: limit = PAGE_LENGTH,
    after: cursor,
    ...filters
  } = readArguments(LISTINGS.fields, args, orderMismatch) as ListingsQuery & {
    first?: number;
    after?: ListingsCursor;
  };
  const query: ListingsQuery = { ...filters, limit, cursor };
  const { sort = cursor?.sort ?? "newest" } = query;
  const { listings: nodes, nextCursor } = queried.page(query);
  return {
    nodes,
    cursorOf: (listing: Listing) => listingsCursorAfter(listing, sort),
    nextCursor,
    after: cursor,
    totalCount: () => queried.count(query),
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
