/**
 * Listings and originators that a query names. Third parties wrote their texts, so that nothing but a name that the
 * knowledge base does not know brings one before its answers: a raise called "Refund guaranteed" is no answer to a
 * question on refunds.
 * @module
 */
import type { MarketText, MarketTexts } from "./market-texts.ts";
import type { Query } from "./query.ts";

export type FoundText = { text: MarketText; terms: ReadonlySet<string> };

export type MarketFindings = {
  /** whose id or name is in the query, the best first */
  named: readonly FoundText[];
  /** that the query may also be about, the best first; none of the named */
  mentioned: readonly FoundText[];
};

/** What a query says of names: whether the knowledge base has a term, or one that looks like it. */
export type Familiarity = {
  isKnown(term: string): boolean;
  isAlike(term: string): boolean;
};

/** At least so much of what the knowledge base does not know must be in a name: "is it safe" names no "Safe Ltd". */
const LEAST_SHARE = 0.5;
const NAME_ONLY = { name: 1 };

/** Looks in the market's texts for what the query names and mentions. */
export function searchMarket(
  { texts, index }: MarketTexts,
  query: Query,
  familiarity: Familiarity,
): MarketFindings {
  const placed = new Set<number>();
  const take = (found: readonly { place: number; terms: ReadonlySet<string> }[]): FoundText[] =>
    found.flatMap(({ place, terms }) => {
      const text = texts[place];
      if (text === undefined || placed.has(place)) return [];
      placed.add(place);
      return { text, terms };
    });

  const foreign = query.terms.filter((term) => !familiarity.isKnown(term));
  // A slip of the pen in a word on rules is no name.
  const isApproximate = (term: string) => !familiarity.isAlike(term) && !index.has(term);
  const byName = foreign.map((term) => index.find([term], { boosts: NAME_ONLY, isApproximate }));
  const share = new Map<number, number>();
  for (const { place } of byName.flat()) share.set(place, (share.get(place) ?? 0) + 1 / foreign.length);
  const inNames = index.find(foreign, { boosts: NAME_ONLY, isApproximate });

  const named = take([
    ...withIds(texts, query.text),
    ...inNames.filter(({ place }) => (share.get(place) ?? 0) >= LEAST_SHARE),
  ]);
  const mentioned = take([
    ...index.find(query.terms, { isEvery: true }),
    ...inNames,
    ...index.find(foreign, { boosts: { text: 1 }, isApproximate }),
  ]);
  return { named, mentioned };
}

/** Texts whose public id or reference number stands in the query. */
function withIds(texts: readonly MarketText[], query: string) {
  const words = new Set(query.toLowerCase().match(/[\w-]+/g));
  return [...texts.entries()]
    .filter(([, { ids }]) => ids.some((id) => words.has(id)))
    .map(([place]) => ({ place, terms: new Set<string>() }));
}
