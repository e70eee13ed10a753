/**
 * A full-text index (BM25+) over documents of a few named fields.
 * @module
 */
import MiniSearch from "minisearch";
import { termsOf } from "./terms.ts";

export type Match = {
  /** place of the document among those that were indexed */
  place: number;
  /** terms of the document that were found */
  terms: ReadonlySet<string>;
  /** how much of the query was found, 0 to 1: terms of it per terms in all */
  share: number;
};

type FindOptions<Field extends string> = {
  /** where to look, and how much a term counts there; in all fields alike when not given */
  boosts?: Readonly<Partial<Record<Field, number>>>;
  /** how much a term counts; 1 when not given */
  weightOf?(term: string): number;
  /** whether words that begin with the term, or are spelled much like it, count as well */
  isApproximate?(term: string): boolean;
  /** whether all terms must be there, not just one */
  isEvery?: boolean;
  /** how many at most; all when not given */
  most?: number;
};

export type TextIndex<Field extends string> = {
  /** Whether a document has exactly this term. */
  has(term: string): boolean;
  /** The best first; of equally good ones by name, then the one of the lower place. */
  find(terms: readonly string[], options?: FindOptions<Field>): Match[];
  /** Indexes a document, instead of the one that had this place. */
  put(place: number, document: Readonly<Record<Field, string>>): void;
  remove(place: number): void;
};

/** Shortest terms that may stand for the words that begin with them, and for those with one or two other letters. */
const SHORTEST = { prefix: 4, oneEdit: 5, twoEdits: 8 };

/** Digits of a score that count: the last ones depend on what the index had in it before. */
const DIGITS = 9;

/**
 * An index of documents that all have these fields; nothing is in it yet.
 * @param nameOf what equally good documents are ordered by, where their places depend on when they came
 */
export function createTextIndex<Field extends string>(
  fields: readonly Field[],
  nameOf: (place: number) => string = () => "",
): TextIndex<Field> {
  const better = (a: Scored, b: Scored) =>
    b.score - a.score || compare(nameOf(a.id), nameOf(b.id)) || a.id - b.id;
  const vocabulary = new Set<string>();
  const index = new MiniSearch<Readonly<Record<Field, string>> & { place: number }>({
    idField: "place",
    fields: [...fields],
    tokenize: (text) => {
      const terms = termsOf(text);
      for (const term of terms) vocabulary.add(term);
      return terms;
    },
    processTerm: (term) => term,
  });
  return {
    has: (term) => vocabulary.has(term),
    put(place, document) {
      if (index.has(place)) index.discard(place);
      index.add({ ...document, place });
    },
    remove(place) {
      if (index.has(place)) index.discard(place);
    },
    find(terms, options = {}) {
      const { boosts = {}, weightOf = () => 1, isApproximate = () => false, isEvery = false, most } = options;
      const within = Object.keys(boosts);
      return index
        .search(terms.join(" "), {
          ...(within.length > 0 && { fields: within, boost: boosts as Record<string, number> }),
          boostTerm: weightOf,
          combineWith: isEvery ? "AND" : "OR",
          prefix: (term) => term.length >= SHORTEST.prefix && isApproximate(term),
          fuzzy: (term) => isApproximate(term) && editsOf(term),
          // Terms hold no space: each is found as it was given.
          tokenize: (joined) => joined.split(" ").filter((term) => term !== ""),
        })
        .map((result) => ({ ...result, score: Number(result.score.toPrecision(DIGITS)) }))
        .toSorted(better)
        .slice(0, most)
        .map(({ id, terms: matched, queryTerms }) => ({
          place: id,
          terms: new Set(matched),
          share: queryTerms.length / terms.length,
        }));
    },
  };
}

type Scored = { id: number; score: number };

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function editsOf(term: string): number | false {
  if (term.length >= SHORTEST.twoEdits) return 2;
  return term.length >= SHORTEST.oneEdit && 1;
}
