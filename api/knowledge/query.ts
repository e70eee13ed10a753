/**
 * A query as terms: the user's own, and those that the knowledge base uses for the same things.
 * @module
 */
import { meaningsOf } from "./synonyms.ts";
import { wordsIn } from "./terms.ts";

export type Query = {
  /** as typed, up to the length limit */
  text: string;
  /** the user's own terms, each once */
  terms: readonly string[];
  /** synonyms of them, each once, without the user's own */
  synonyms: readonly string[];
  /** the user's terms that have synonyms: words about rules, not names */
  translated: ReadonlySet<string>;
  /** whether it asks for the meaning of a word */
  asksForMeaning: boolean;
};

const LONGEST_QUERY = 400;
const MOST_TERMS = 40;
/** "What is a coupon?" is about a word; "what is paid back when a raise fails?" is not. */
const MOST_TERMS_OF_A_WORD = 2;
const ASKS_FOR_MEANING =
  /^\s*(?:what(?:['’]s| is| are| does)|meaning|define|definition)\b|\b(?:mean|stand for)\b/i;

/** Parses a query of any length; only the first 400 characters count. */
export function parseQuery(query: string): Query {
  const text = query.slice(0, LONGEST_QUERY);
  const words = wordsIn(text);
  const terms = [...new Set(words.flatMap((word) => word.terms))].slice(0, MOST_TERMS);
  const synonyms = new Set<string>();
  const translated = new Set<string>();
  for (const [place, word] of words.entries()) {
    const next = words[place + 1];
    const meanings = [
      ...meaningsOf(word.plain, word.terms),
      ...(next === undefined ? [] : meaningsOf(`${word.plain} ${next.plain}`)),
    ];
    if (meanings.length === 0) continue;
    for (const meaning of meanings) synonyms.add(meaning);
    for (const term of word.terms) translated.add(term);
  }
  for (const term of terms) synonyms.delete(term);
  const asksForMeaning = terms.length <= MOST_TERMS_OF_A_WORD && ASKS_FOR_MEANING.test(text);
  return { text, terms, synonyms: [...synonyms], translated, asksForMeaning };
}
