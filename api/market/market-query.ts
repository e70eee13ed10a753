/** @module The listings query of a whole market: what it finds, counts and owes, read of facts. */
import { createHash, randomInt } from "node:crypto";
import { columnsOf, type DatedMarket } from "./columns.ts";
import { countsOf, countsOfArchive, keyOf } from "./kept-counts.ts";
import { Listings } from "./listings.ts";
import { FILTERS, type ListingsFilters } from "./listings-filters.ts";
import {
  countListings,
  type ListingsPage,
  type ListingsQuery,
  matcherOf,
  queryListings,
} from "./listings-query.ts";
import type { Market } from "./market.ts";
import { GRADES, REPAYMENTS, STATUSES } from "./schema.ts";
import { totalsOf } from "./stats.ts";

/** The parts of a market from which it is counted. */
export type CountedMarket = DatedMarket & Pick<Market, "originatorByPublicId">;

/** The filters whose words are counted as the raises change. */
const TALLIED = { status: STATUSES, repayment: REPAYMENTS, grade: GRADES } as const;
const NO_FILTERS = ["sort", "limit", "cursor"];

/** The matching listings in the order of the query; ties by `publicId`. */
export function queryMarket(
  market: Pick<Market, "listings" | "originatorByPublicId">,
  query: ListingsQuery,
  filters: ListingsFilters = FILTERS,
): ListingsPage {
  return queryListings(listingsFor(market, query), query, market.originatorByPublicId, filters);
}

/** The listings among which a query looks: those of its originator, or all. */
export function listingsFor(
  { listings, originatorByPublicId }: Pick<Market, "listings" | "originatorByPublicId">,
  { originator }: ListingsQuery,
): Listings {
  if (originator === undefined) return listings;
  return Listings.of(originatorByPublicId.get(originator)?.listings ?? []);
}

/** The fields of a query that filter, as a key, and whether grades are among them. */
function filterOf(query: ListingsQuery, filters: ListingsFilters) {
  const given = Object.keys(filters).flatMap((name) => {
    const value = (query as Readonly<Record<string, unknown>>)[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { key: keyOf(given), hasGrades: query.grade !== undefined, status: query.status };
}

export function countMarket(
  market: CountedMarket,
  query: ListingsQuery,
  filters: ListingsFilters = FILTERS,
): number {
  const quick = tallied(market, query);
  if (quick !== null) return quick;
  const { listings, originatorByPublicId } = market;
  if (query.originator !== undefined)
    return countListings(listingsFor(market, query), query, originatorByPublicId, filters);
  const isMatch = matcherOf(query, originatorByPublicId, filters);
  const [count] = countsOf(listings, {
    ...filterOf(query, filters),
    start: () => [0],
    count(counts, facts, sign) {
      if (isMatch(facts)) (counts[0] as number) += sign;
    },
  });
  return count as number;
}

/** The number of listings where the query asks for words of one field that are counted; null for any other. */
export function tallied(market: CountedMarket, query: ListingsQuery): number | null {
  const given = Object.entries(query).filter(
    ([name, value]) => value !== undefined && !NO_FILTERS.includes(name),
  );
  const [name, value] = given[0] ?? [];
  if (given.length > 1) return null;
  if (name === undefined) return market.listings.length;
  const words = TALLIED[name as keyof typeof TALLIED] as readonly string[] | undefined;
  if (words === undefined) return null;
  const chosen = new Set(value as readonly string[]);
  if (chosen.size === 0) return market.listings.length;
  const counts = columnsOf(market).tallies()[name as keyof typeof TALLIED];
  return words.reduce((sum, word, at) => sum + (chosen.has(word) ? (counts[at] ?? 0) : 0), 0);
}

/** Debts and outstanding returns of the matching listings, base units. Archived ones have no debts. */
export function owedInMarket(
  market: CountedMarket,
  query: ListingsQuery,
  filters: ListingsFilters = FILTERS,
): { outstanding: string; refundable: string } {
  const { listings, originatorByPublicId } = market;
  const isMatch = matcherOf(query, originatorByPublicId, filters);
  const { outstanding, refundable } = totalsOf(listings.full.filter(isMatch));
  let sum = BigInt(refundable);
  for (const facts of columnsOf(market).refundable())
    if (isMatch(facts)) sum += BigInt(facts.refundableAmount);
  return { outstanding, refundable: `${sum}` };
}

/** The number of visible listings of each escrow. */
export function countByEscrow(market: CountedMarket): ReadonlyMap<string, number> {
  return columnsOf(market).escrows();
}

/** A text that two markets of this process have in common only if the same listings match in both. */
export function matchesIn(
  { listings, originatorByPublicId }: Pick<Market, "listings" | "originatorByPublicId">,
  query: ListingsQuery,
): string {
  const isMatch = matcherOf(query, originatorByPublicId);
  const hash = createHash("sha256");
  for (const facts of listings.full) if (isMatch(facts)) hash.update(`${facts.publicId} `);
  const { key, hasGrades } = filterOf(query, FILTERS);
  const changes = countsOfArchive(listings, {
    ...{ key: `changes ${key}`, hasGrades },
    // A count that starts over must not repeat an earlier text.
    start: () => [randomInt(2 ** 40)],
    count(counts, facts) {
      if (isMatch(facts)) (counts[0] as number)++;
    },
  });
  return hash.update(`${changes}`).digest("base64url");
}
