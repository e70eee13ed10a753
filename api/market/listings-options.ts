/** @module How many listings each choice of a filter would leave. */
import { FILTERS, type ListingsFilters } from "./listings-filters.ts";
import { type ListingsQuery, matcherOf } from "./listings-query.ts";
import type { Market } from "./market.ts";

/** One value of one field. */
export type ListingsOption = Omit<ListingsQuery, "sort" | "limit" | "cursor">;
type Field = keyof ListingsOption;

/** The number of listings with each option in place of the query's value for that field, in one pass over the listings. */
export function countByOption<Option extends ListingsOption>(
  market: Pick<Market, "listings" | "originatorByPublicId">,
  query: ListingsQuery,
  options: readonly Option[],
  table: ListingsFilters = FILTERS,
): Map<Option, number> {
  const { sort: _, limit: __, cursor: ___, ...given } = query;
  const filters = (Object.keys(given) as Field[]).map((field) => ({
    field,
    isMatch: matcherOf({ [field]: given[field] }, market.originatorByPublicId, table),
  }));
  const counted = options.map((option) => ({
    option,
    field: Object.keys(option)[0] as Field,
    isMatch: matcherOf(option, market.originatorByPublicId, table),
    count: 0,
  }));
  for (const listing of market.listings.facts()) {
    const failed = filters.filter(({ isMatch }) => !isMatch(listing));
    if (failed.length > 1) continue;
    const only = failed[0]?.field;
    for (const one of counted) {
      if ((only === undefined || only === one.field) && one.isMatch(listing)) one.count++;
    }
  }
  return new Map(counted.map(({ option, count }) => [option, count]));
}
