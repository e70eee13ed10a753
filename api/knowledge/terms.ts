/** @module From English text to terms: lower case, without accents and stop words, reduced to their stems. */
import { stemmer } from "stemmer";
import { withoutCaseAndAccents } from "../../config/format/letters.ts";

export type Word = {
  terms: readonly string[];
  /** without case and accents, not stemmed */
  plain: string;
  start: number;
  end: number;
};

const WORD = /[\p{L}\p{M}\p{N}_]+(?:['’]\p{L}+)*|%/gu;
/** Field names are indexed as a whole and by their parts: `minRaise`, `not_drawn`. */
const PARTS = /_+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u;
/** Longer words are not searched for, and fuzzy matching slows down with length. */
const LONGEST_TERM = 40;

const STOP_WORDS = new Set(
  `a about all also always am an and any anybody anyone are around as at be been being between both but
   by can cannot could data did do does doesn doing don each either else even ever everybody exactly
   explain find for from get gets getting give gives go goes going got had happen happened happens
   has have here how however i if in into is isn it its just keep know let like long look looks many
   may me might more much must my need no nobody nor not now of off on one onto or other our out
   over per please put really right same see shall she should show so some somebody someone stand
   still such tell than that the their them then there these they thing this those to too up us use
   used very vs want was we were what when where whether which while who whom whose why will with
   without won would yes you your
   arent cant couldnt didnt doesnt dont hasnt havent im isnt ive thats whats whos wont wouldnt`.split(/\s+/),
);

/** Forms that the stemmer does not relate. */
const IRREGULAR = new Map([
  ["paid", "pay"],
  ["unpaid", "unpay"],
  ["payment", "pay"],
  ["payments", "pay"],
  ["repaid", "repay"],
  ["repayment", "repay"],
  ["repayments", "repay"],
  ["sold", "sell"],
  ["bought", "buy"],
  ["drawn", "draw"],
  ["withdrawn", "withdraw"],
  ["withdrawal", "withdraw"],
  ["lent", "lend"],
  ["held", "hold"],
  ["lost", "loss"],
  ["lose", "loss"],
  ["loses", "loss"],
  ["statuses", "status"],
  ["verification", "verify"],
  ["written", "write"],
  ["listings", "listing"],
  ["ratings", "rating"],
  ["rated", "rating"],
  ["unrated", "rating"],
  ["earlier", "early"],
  ["%", "percent"],
]);

/** Words that stemming would confuse with others: a listing is not a list, and these statuses are names. */
const KEPT = new Set(["listing", "listed", "matured", "refunding", "rating"]);

export function wordsIn(text: string): Word[] {
  return Array.from(text.matchAll(WORD), (match) => {
    const [word] = match;
    const parts = [word, ...(PARTS.test(word) ? word.split(PARTS) : [])].map(plainForm);
    const terms = parts.filter((part) => part !== "" && !STOP_WORDS.has(part)).map(stem);
    return {
      terms: [...new Set(terms)],
      plain: plainForm(word),
      start: match.index,
      end: match.index + word.length,
    };
  });
}

export function termsOf(text: string): string[] {
  return wordsIn(text).flatMap(({ terms }) => terms);
}

/** Without case, accents, underscores, and anything after an apostrophe. */
function plainForm(word: string): string {
  return withoutCaseAndAccents(word.replace(/['’].*$/u, ""))
    .replace(/[\s_]/gu, "")
    .slice(0, LONGEST_TERM);
}

function stem(form: string): string {
  const word = IRREGULAR.get(form) ?? form;
  return KEPT.has(word) ? word : stemmer(word);
}
