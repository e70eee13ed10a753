/**
 * Finds the listings and originators that a query names. Their texts are third parties', so only a name made of words
 * unknown to the knowledge base ranks above its answers: a raise called "Refund guaranteed" does not answer a
 * question about refunds.
 * @module
 */
import type { MarketText, MarketTexts } from "./market-texts.ts";
import type { Query } from "./query.ts";
import type { Match } from "./text-index.ts";

export type MatchedText = { text: MarketText; terms: ReadonlySet<string> };

export type MarketMatches = {
  /** those whose id or name is in the query, best first */
  named: readonly MatchedText[];
  /** others that the query may be about, best first */
  mentioned: readonly MatchedText[];
};

/** Whether the knowledge base has a term, or one spelled much like it. */
export type Familiarity = {
  isKnown(term: string): boolean;
  isAlike(term: string): boolean;
};

/** Share of the unknown terms that a name must contain: "is it safe" does not name "Safe Ltd". */
const LEAST_SHARE = 0.5;
/** How many unknown terms are looked up as names: no name is longer. */
const MOST_NAME_TERMS = 8;
/** More are never shown. */
const MOST_MATCHES = 50;
const NAME_ONLY = { name: 1 };

/** Searches the market's texts. */
export function searchMarket(
  { texts, index }: MarketTexts,
  query: Query,
  familiarity: Familiarity,
): MarketMatches {
  const placed = new Set<number>();
  const take = (matches: readonly Pick<Match, "place" | "terms">[]): MatchedText[] =>
    matches.flatMap(({ place, terms }) => {
      const text = texts.get(place);
      if (text === undefined || placed.has(place)) return [];
      placed.add(place);
      return { text, terms };
    });

  const foreign = query.terms.filter((term) => !familiarity.isKnown(term)).slice(0, MOST_NAME_TERMS);
  // A misspelt word about rules is not a name.
  const isApproximate = (term: string) => !familiarity.isAlike(term) && !index.has(term);
  const most = MOST_MATCHES;
  const inNames = index.find(foreign, { boosts: NAME_ONLY, isApproximate, most });

  const named = take([...withIds(texts, query.text), ...inNames.filter(({ share }) => share >= LEAST_SHARE)]);
  const mentioned = take([
    // No text contains every word of a long question, and searching for one is slow.
    ...(query.terms.length > MOST_NAME_TERMS ? [] : index.find(query.terms, { requireAll: true, most })),
    ...inNames,
    ...index.find(foreign, { boosts: { text: 1 }, isApproximate, most }),
  ]);
  return { named, mentioned };
}

/** A public id, or a reference number in its documented form: a token may be called WHAT, which is a word too. */
const ID = /^(?:(?:lst|org)_[\w-]+|[a-z]+\d{5})$/;

/** Texts whose public id or reference number is in the query. */
function withIds(texts: ReadonlyMap<number, MarketText>, query: string) {
  const words = new Set(
    query
      .toLowerCase()
      .match(/[\w-]+/g)
      ?.filter((word) => ID.test(word)),
  );
  return [...texts.entries()]
    .filter(([, { ids }]) => ids.some((id) => words.has(id)))
    .map(([place]) => ({ place, terms: new Set<string>() }));
}
