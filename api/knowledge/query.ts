/**
 * What somebody asks, as terms: their own, and those that the knowledge base uses for the same thing.
 * @module
 */
import { meaningsOf } from "./synonyms.ts";
import { wordsIn } from "./terms.ts";

export type Query = {
  /** what was typed, as far as it is looked at */
  text: string;
  /** the asker's own terms, each once */
  terms: readonly string[];
  /** terms of the same meaning, each once, none of them the asker's */
  synonyms: readonly string[];
  /** those of the asker's terms that have synonyms: words on rules, not names */
  translated: ReadonlySet<string>;
  /** whether a word is to be explained, not a rule */
  asksForMeaning: boolean;
};

const LONGEST_QUERY = 400;
const MOST_TERMS = 40;
/** "What is a coupon?" is about a word; "what is paid back when a raise fails?" is not. */
const MOST_TERMS_OF_A_WORD = 2;
const ASKS_FOR_MEANING =
  /^\s*(?:what(?:['’]s| is| are| does)|meaning|define|definition)\b|\b(?:mean|stand for)\b/i;

/** Reads a query of any length; what stands behind the first 400 characters is not looked at. */
export function parseQuery(query: string): Query {
  const text = query.slice(0, LONGEST_QUERY);
  const words = wordsIn(text);
  const terms = [...new Set(words.flatMap((word) => word.terms))].slice(0, MOST_TERMS);
  const synonyms = new Set<string>();
  const translated = new Set<string>();
  for (const word of words) {
    const meanings = meaningsOf(word.plain);
    if (meanings === null) continue;
    for (const meaning of meanings) synonyms.add(meaning);
    for (const term of word.terms) translated.add(term);
  }
  for (const term of terms) synonyms.delete(term);
  const asksForMeaning = terms.length <= MOST_TERMS_OF_A_WORD && ASKS_FOR_MEANING.test(text);
  return { text, terms, synonyms: [...synonyms], translated, asksForMeaning };
}
