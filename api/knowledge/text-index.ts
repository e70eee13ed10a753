/**
 * A full-text index (BM25+) over documents of a few named fields.
 * @module
 */
import MiniSearch from "minisearch";
import { termsOf } from "./words.ts";

export type Found = {
  /** place of the document among those that were indexed */
  place: number;
  /** terms of the document that were found */
  terms: ReadonlySet<string>;
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
};

export type TextIndex<Field extends string> = {
  /** Whether a document has exactly this term. */
  has(term: string): boolean;
  /** The best first; of equally good ones the first that was indexed. */
  find(terms: readonly string[], options?: FindOptions<Field>): Found[];
};

/** Shortest terms that may stand for the words that begin with them, and for those with one or two other letters. */
const SHORTEST = { prefix: 4, oneEdit: 5, twoEdits: 8 };

/** Indexes the documents, all of which have the same fields. */
export function createTextIndex<Field extends string>(
  fields: readonly Field[],
  documents: readonly Readonly<Record<Field, string>>[],
): TextIndex<Field> {
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
  index.addAll(documents.map((document, place) => ({ ...document, place })));

  return {
    has: (term) => vocabulary.has(term),
    find(terms, { boosts = {}, weightOf = () => 1, isApproximate = () => false, isEvery = false } = {}) {
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
        .toSorted((a, b) => b.score - a.score || a.id - b.id)
        .map(({ id, terms: found }): Found => ({ place: id, terms: new Set(found) }));
    },
  };
}

function editsOf(term: string): number | false {
  if (term.length >= SHORTEST.twoEdits) return 2;
  return term.length >= SHORTEST.oneEdit && 1;
}
