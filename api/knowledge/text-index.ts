/** @module A full-text index (BM25+) of documents with a few named fields. */
import MiniSearch from "minisearch";
import { termsOf } from "./terms.ts";

export type Match = {
  place: number;
  terms: ReadonlySet<string>;
  /** share of the query's terms that matched, 0 to 1 */
  share: number;
};

type FindOptions<Field extends string> = {
  /** the fields to search, with their weights; all fields alike by default */
  boosts?: Readonly<Partial<Record<Field, number>>>;
  weightOf?(term: string): number;
  weightOfDocument?(place: number): number;
  /** whether words that begin with the term, or are spelled much like it, match too */
  isApproximate?(term: string): boolean;
  requireAll?: boolean;
  /** all by default */
  most?: number;
};

export type TextIndex<Field extends string> = {
  has(term: string): boolean;
  /** Best first; ties by name, then by number. */
  find(terms: readonly string[], options?: FindOptions<Field>): Match[];
  /** Indexes a document, replacing the one with this number. */
  put(place: number, document: Readonly<Record<Field, string>>): void;
  remove(place: number): void;
};

/** Shortest terms that match by prefix, and with one or two edits. */
const SHORTEST = { prefix: 4, oneEdit: 5, twoEdits: 8 };

/** Significant digits of a score: the last ones depend on what the index once contained. */
const DIGITS = 9;

/** Creates an empty index. @param nameOf the name of a document by its number: breaks ties, since the number depends on the order of additions */
export function createTextIndex<Field extends string>(
  fields: readonly Field[],
  nameOf: (place: number) => string = () => "",
): TextIndex<Field> {
  const better = (a: Scored, b: Scored) =>
    b.score - a.score || compare(nameOf(a.id), nameOf(b.id)) || a.id - b.id;
  const vocabulary = new Set<string>();
  /** The indexed documents: each is removed term by term, as the index's own vacuum runs later and fails if documents are added meanwhile. */
  const indexed = new Map<number, Readonly<Record<Field, string>> & { place: number }>();
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
  const remove = (place: number): void => {
    const before = indexed.get(place);
    if (before === undefined) return;
    index.remove(before);
    indexed.delete(place);
  };
  return {
    has: (term) => vocabulary.has(term),
    put(place, document) {
      remove(place);
      const own = { ...document, place };
      index.add(own);
      indexed.set(place, own);
    },
    remove,
    find(terms, options = {}) {
      const {
        boosts = {},
        weightOf = () => 1,
        weightOfDocument = () => 1,
        isApproximate = () => false,
        requireAll = false,
        most,
      } = options;
      const within = Object.keys(boosts);
      return index
        .search(terms.join(" "), {
          ...(within.length > 0 && { fields: within, boost: boosts as Record<string, number> }),
          boostTerm: weightOf,
          boostDocument: (place: number) => weightOfDocument(place),
          combineWith: requireAll ? "AND" : "OR",
          prefix: (term) => term.length >= SHORTEST.prefix && isApproximate(term),
          fuzzy: (term) => isApproximate(term) && editsOf(term),
          // Terms contain no spaces.
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
