/** @module How many listings each choice of a filter would leave. */
import { countsOf, keyOf } from "./kept-counts.ts";
import { FILTERS, type ListingsFilters } from "./listings-filters.ts";
import { type ListingsQuery, matcherOf } from "./listings-query.ts";
import { type CountedMarket, tallied } from "./market-query.ts";

/** One value of one field. */
export type ListingsOption = Omit<ListingsQuery, "sort" | "limit" | "cursor">;
type Field = keyof ListingsOption;

/** The number of listings with each option in place of the query's value for that field, in one pass over the listings. */
export function countByOption<Option extends ListingsOption>(
  market: CountedMarket,
  query: ListingsQuery,
  options: readonly Option[],
  table: ListingsFilters = FILTERS,
): Map<Option, number> {
  const { sort: _, limit: __, cursor: ___, ...given } = query;
  const fieldOf = (option: Option) => Object.keys(option)[0] as Field;
  const asked = new Set(options.map(fieldOf));
  const own = Object.fromEntries(Object.entries(given).filter(([field]) => asked.has(field as Field)));
  const others = Object.fromEntries(Object.entries(given).filter(([field]) => !asked.has(field as Field)));
  // Counts that are kept up to date need no pass.
  const quick = options.map((option) =>
    Object.keys(own).length === 0 ? tallied(market, { ...others, ...option }) : null,
  );
  const rest = options.filter((_, at) => quick[at] === null);
  if (rest.length === 0) return new Map(options.map((option, at) => [option, quick[at] ?? 0]));

  const matcher = (filter: ListingsQuery) => matcherOf(filter, market.originatorByPublicId, table);
  const isMatch = matcher(others);
  const filters = (Object.keys(own) as Field[]).map((field) => ({
    field,
    isMatch: matcher({ [field]: own[field] }),
  }));
  const counted = rest.map((option) => ({ field: fieldOf(option), isMatch: matcher(option) }));
  const counts = countsOf(market.listings, {
    key: keyOf(others, own, rest),
    status: (others as ListingsQuery).status,
    hasGrades: [...asked, ...Object.keys(others)].includes("grade"),
    start: () => rest.map(() => 0),
    count(counts, facts, sign) {
      if (!isMatch(facts)) return;
      const failed = filters.filter((filter) => !filter.isMatch(facts));
      if (failed.length > 1) return;
      const only = failed[0]?.field;
      for (const [at, one] of counted.entries())
        if ((only === undefined || only === one.field) && one.isMatch(facts)) (counts[at] as number) += sign;
    },
  });
  const passed = new Map(rest.map((option, at) => [option, counts[at] as number]));
  return new Map(options.map((option, at) => [option, quick[at] ?? passed.get(option) ?? 0]));
}
