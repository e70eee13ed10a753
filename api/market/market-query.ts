/** @module The listings query of a whole market: filters read columns (`columns.ts`), so that no query walks every listing. */
import { type ColumnFields, type Columns, columnsOf } from "./columns.ts";
import { FILTERS, type ListingsFilters } from "./listings-filters.ts";
import { compareSortKeys, sortKeyOf } from "./listings-order.ts";
import {
  countListings,
  type ListingsPage,
  type ListingsQuery,
  matcherOf,
  pageWithin,
  queryListings,
} from "./listings-query.ts";
import type { Market } from "./market.ts";
import { GRADES, type Listing, REPAYMENTS, STATUSES } from "./schema.ts";
import { totalsOf } from "./stats.ts";

/** What the counts of a market are made of. */
export type CountedMarket = Pick<Market, "listings" | "originatorByPublicId"> &
  Partial<Pick<Market, "stats">>;
type QueriedMarket = CountedMarket & Pick<Market, "listingByPublicId">;

/** The filters whose tests read nothing but columns. A filter that is not among them walks the listings. */
const IN_COLUMNS: ReadonlySet<string> = new Set<keyof typeof FILTERS>([
  ...(["q", "status", "grade", "originator", "jurisdiction", "repayment"] as const),
  ...(["minCouponBps", "maxCouponBps", "minTenorDays", "maxTenorDays"] as const),
  ...(["closingBefore", "dueBefore", "pace", "changedSince"] as const),
]);
/** The filters whose words are counted as the raises change. */
const TALLIED = { status: STATUSES, repayment: REPAYMENTS, grade: GRADES } as const;
const NO_FILTERS = ["sort", "limit", "cursor"];

/** The columns of the market; null where the query has a filter that is not of columns, or the market has none. */
function columnsFor(
  { listings, stats }: Pick<CountedMarket, "listings" | "stats">,
  query: ListingsQuery,
  filters: ListingsFilters,
): Columns | null {
  const isOfColumns = Object.entries(query).every(
    ([name, value]) =>
      value === undefined || NO_FILTERS.includes(name) || !(name in filters) || IN_COLUMNS.has(name),
  );
  return stats !== undefined && isOfColumns ? columnsOf({ listings, stats }) : null;
}

/** A test of rows of columns, which are not listings. */
function rowMatcher(market: CountedMarket, query: ListingsQuery, filters: ListingsFilters) {
  return matcherOf(query, market.originatorByPublicId, filters) as (row: ColumnFields) => boolean;
}

/** How many listings of an order are tried before the columns are asked how many there are. */
const TRIED_FIRST = 500;
/** Up to so many matches are sorted; more are found by walking the order. */
const FEW = 1_000;

/** The matching listings in the order of the query; ties by `publicId`. */
export function queryMarket(
  market: QueriedMarket,
  query: ListingsQuery,
  filters: ListingsFilters = FILTERS,
): ListingsPage {
  const { listings, originatorByPublicId } = market;
  const whole = () => queryListings(listings, query, originatorByPublicId, filters);
  const columns = columnsFor(market, query, filters);
  if (columns === null) return whole();
  const first = pageWithin(listings, query, originatorByPublicId, filters, TRIED_FIRST);
  if (first !== null) return first;
  const ids = columns.matching(rowMatcher(market, query, filters), FEW);
  if (ids === null) return whole();
  const { sort = query.cursor?.sort ?? "newest" } = query;
  const found = ids
    .flatMap((id) => market.listingByPublicId.get(id) ?? [])
    .sort((a, b) => compareSortKeys(sortKeyOf(a, sort), sortKeyOf(b, sort)));
  return queryListings(found, { ...query, sort }, originatorByPublicId, filters);
}

export function countMarket(
  market: CountedMarket,
  query: ListingsQuery,
  filters: ListingsFilters = FILTERS,
): number {
  const quick = tallied(market, query);
  if (quick !== null) return quick;
  const columns = columnsFor(market, query, filters);
  return columns === null
    ? countListings(market.listings, query, market.originatorByPublicId, filters)
    : columns.count(rowMatcher(market, query, filters));
}

/** The number of listings where the query asks for words of one field that are counted; null for any other. */
export function tallied(
  market: Pick<CountedMarket, "listings" | "stats">,
  query: ListingsQuery,
): number | null {
  const columns = columnsFor(market, {}, {});
  const given = Object.entries(query).filter(
    ([name, value]) => value !== undefined && !NO_FILTERS.includes(name),
  );
  const [name, value] = given[0] ?? [];
  if (columns === null || given.length > 1) return null;
  if (name === undefined) return market.listings.length;
  const words = TALLIED[name as keyof typeof TALLIED] as readonly string[] | undefined;
  if (words === undefined) return null;
  const chosen = new Set(value as readonly string[]);
  if (chosen.size === 0) return market.listings.length;
  const counts = columns.tallies()[name as keyof typeof TALLIED];
  return words.reduce((sum, word, at) => sum + (chosen.has(word) ? (counts[at] ?? 0) : 0), 0);
}

/** What the matching listings owe and have to return; base units. */
export function owedInMarket(
  market: CountedMarket,
  query: ListingsQuery,
  filters: ListingsFilters = FILTERS,
): { outstanding: string; refundable: string } {
  const columns = columnsFor(market, query, filters);
  if (columns === null)
    return totalsOf(market.listings.filter(matcherOf(query, market.originatorByPublicId, filters)));
  const { outstanding, refundable } = columns.owedBy(rowMatcher(market, query, filters));
  return { outstanding: `${outstanding}`, refundable: `${refundable}` };
}

/** The number of visible listings of each escrow; beyond ten thousand escrows, of the first ones. */
export function countByEscrow(market: CountedMarket): ReadonlyMap<string, number> {
  const columns = columnsFor(market, {}, {});
  if (columns !== null) return columns.escrows();
  const raises = Map.groupBy(market.listings, ({ escrowAddress }) => escrowAddress);
  return new Map([...raises].map(([escrow, { length }]) => [escrow, length]));
}

/** A text that two markets of this process have in common only if the same listings match in both. */
export function matchesIn(
  market: CountedMarket,
  query: ListingsQuery,
  filters: ListingsFilters = FILTERS,
): string {
  const columns = columnsFor(market, query, filters);
  if (columns !== null) return columns.fingerprint(rowMatcher(market, query, filters));
  const found = market.listings.filter(matcherOf(query, market.originatorByPublicId, filters));
  return found.map(({ publicId }) => publicId).join(" ");
}

/** Calls back for each listing, or for its columns if the filters of the query read nothing else. */
export function eachRow(
  market: CountedMarket,
  query: ListingsQuery,
  filters: ListingsFilters,
  visit: (row: Listing) => void,
): void {
  const columns = columnsFor(market, query, filters);
  if (columns === null) for (const listing of market.listings) visit(listing);
  else columns.each((row) => visit(row as Listing));
}
