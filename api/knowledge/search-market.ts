/**
 * Listings and originators that a query names. Third parties wrote their texts, so that nothing but a name that the
 * knowledge base does not know brings one before its answers: a raise called "Refund guaranteed" is no answer to a
 * question on refunds.
 * @module
 */
import type { MarketText, MarketTexts } from "./market-texts.ts";
import type { Query } from "./query.ts";
import type { Match } from "./text-index.ts";

export type MatchedText = { text: MarketText; terms: ReadonlySet<string> };

export type MarketMatches = {
  /** whose id or name is in the query, the best first */
  named: readonly MatchedText[];
  /** that the query may also be about, the best first; none of the named */
  mentioned: readonly MatchedText[];
};

/** What a query says of names: whether the knowledge base has a term, or one that looks like it. */
export type Familiarity = {
  isKnown(term: string): boolean;
  isAlike(term: string): boolean;
};

/** At least so much of what the knowledge base does not know must be in a name: "is it safe" names no "Safe Ltd". */
const LEAST_SHARE = 0.5;
/** Names are looked for by the first words that the knowledge base does not know: nobody's name has more. */
const MOST_NAME_TERMS = 8;
/** So many are looked at of each kind of finding: more are never shown. */
const MOST_MATCHES = 50;
const NAME_ONLY = { name: 1 };

/** Looks in the market's texts for what the query names and mentions. */
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
  // A slip of the pen in a word on rules is no name.
  const isApproximate = (term: string) => !familiarity.isAlike(term) && !index.has(term);
  const most = MOST_MATCHES;
  const inNames = index.find(foreign, { boosts: NAME_ONLY, isApproximate, most });

  const named = take([...withIds(texts, query.text), ...inNames.filter(({ share }) => share >= LEAST_SHARE)]);
  const mentioned = take([
    // No text has every word of a long question, and to find that out takes long.
    ...(query.terms.length > MOST_NAME_TERMS ? [] : index.find(query.terms, { isEvery: true, most })),
    ...inNames,
    ...index.find(foreign, { boosts: { text: 1 }, isApproximate, most }),
  ]);
  return { named, mentioned };
}

/** A public id, or a reference number of the documented form: a token may be called WHAT, and that is no id. */
const ID = /^(?:(?:lst|org)_[\w-]+|[a-z]+\d{5})$/;

/** Texts whose public id or reference number stands in the query. */
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
