/** @module The listings query of a whole market: what it finds, counts and owes, read of facts. */
import { createHash } from "node:crypto";
import { columnsOf, type DatedMarket } from "./columns.ts";
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
  { listings, originatorByPublicId }: Pick<Market, "listings" | "originatorByPublicId">,
  query: ListingsQuery,
  filters: ListingsFilters = FILTERS,
): ListingsPage {
  return queryListings(listings, query, originatorByPublicId, filters);
}

export function countMarket(
  market: CountedMarket,
  query: ListingsQuery,
  filters: ListingsFilters = FILTERS,
): number {
  return (
    tallied(market, query) ?? countListings(market.listings, query, market.originatorByPublicId, filters)
  );
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
  for (const facts of listings.facts()) if (isMatch(facts)) hash.update(`${facts.publicId} `);
  return hash.digest("base64url");
}
