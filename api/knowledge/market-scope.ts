/** @module The part of the market that a question names: countries, grades, a business. */
import { whenAsked } from "../../config/when-asked.ts";
import { FILTERS } from "../market/listings-filters.ts";
import type { ListingsQuery } from "../market/listings-query.ts";
import type { Market } from "../market/market.ts";
import { GRADES, type Grade } from "../market/schema.ts";
import { COUNTRY_CODES } from "../registry/countries.ts";
import type { MatchedText } from "./market-texts.ts";
import { termsOf } from "./terms.ts";

/** `written` are its names in plain words, which have no sign of a regular expression. */
type Country = { code: string; name: string; written: readonly string[] };

export type Scope = {
  countries: readonly Country[];
  grades: readonly Grade[];
  /** a public id: a legal name is a third party's text */
  business: string | null;
  /** whether several businesses may be meant, so that no answer is about the right one */
  isUnclear: boolean;
};

export const WHOLE_MARKET: Scope = { countries: [], grades: [], business: null, isUnclear: false };

/** A text as words in lower case with single spaces. */
export function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}'’]+/gu, " ")
    .trim();
}

/** @param text plain words @param named by the query, best first */
export function scopeOf(text: string, market: Market, named: readonly MatchedText[]): Scope {
  const countries = countriesIn(text, market);
  return { countries, grades: gradesIn(text), ...businessOf(named, countries) };
}

export function filterOf({ countries, grades, business }: Scope): ListingsQuery {
  return {
    ...(countries.length === 0 ? {} : { jurisdiction: countries.map(({ code }) => code) }),
    ...(grades.length === 0 ? {} : { grade: grades }),
    ...(business === null ? {} : { originator: business }),
  };
}

/** The same as parameters of the board. */
export function boardParametersOf(scope: Scope): string[] {
  const filter = filterOf(scope);
  return (["jurisdiction", "grade", "originator"] as const).flatMap((name) => {
    const value = filter[name];
    return value === undefined ? [] : [`${FILTERS[name].board.name}=${[value].flat().join(",")}`];
  });
}

/** Such as "of businesses in Kenya with grade A or B". @param fallback what a business without a name is called */
export function businessWords({ countries, grades, business }: Scope, fallback: string): string {
  const whose = business === null ? fallback : `the business ${business}`;
  const where = countries.length === 0 ? "" : ` in ${countries.map(({ name }) => name).join(" or ")}`;
  return `of ${whose}${where}${grades.length === 0 ? "" : ` with grade ${grades.join(" or ")}`}`;
}

/** The text as if it asked for the whole market: "late raises in Kenya" is as short a question as "late raises". */
export function withoutCountries(text: string, { countries }: Scope): string {
  if (countries.length === 0) return text;
  const names = countries.flatMap(({ written }) => written).join("|");
  const phrase = new RegExp(`(?: (?:in|from|of|and|or))?(?: the)? (?:${names})(?= )`, "g");
  return ` ${text} `.replace(phrase, "").trim();
}

const NAMES = whenAsked((): Country[] => {
  const names = new Intl.DisplayNames(["en"], { type: "region" });
  return COUNTRY_CODES.map((code) => {
    const name = names.of(code) ?? code;
    return { code, name, written: [plainWords(name), ...(SHORT_NAMES[code] ?? [])] };
  });
});
const SHORT_NAMES: Readonly<Record<string, readonly string[]>> = { GB: ["uk"], US: ["usa"] };

/** Countries of the market wherever they are named, others only behind "in", "from" or "of". */
function countriesIn(text: string, { originators }: Market): Country[] {
  if (!/\b(?:in|from|of)\b/.test(text)) return [];
  const known = new Set(originators.map(({ jurisdiction }) => jurisdiction));
  const words = ` ${text} `;
  return NAMES().filter(({ code, written }) =>
    written.some((name) => {
      const isNamed = words.includes(` ${name} `);
      return isNamed && (known.has(code) || new RegExp(` (?:in|from|of)(?: the)? ${name} `).test(words));
    }),
  );
}

const LETTERS = "((?:(?:[a-e]|nr|and|or|to) )*(?:[a-e]|nr))";
const GRADED = [
  new RegExp(`\\b(?:grades?|graded|rated) ${LETTERS}\\b(?: or (better|higher|above|worse|lower|below)\\b)?`),
  new RegExp(`\\b${LETTERS} rated\\b`),
];

/** The grades of "grade A", "grades A to C", "graded B or better", "A-rated" and "unrated". */
function gradesIn(text: string): Grade[] {
  if (/\b(?:unrated|not rated)\b/.test(text)) return ["NR"];
  const [, letters, side] = GRADED.map((form) => form.exec(text)).find((match) => match !== null) ?? [];
  if (letters === undefined) return [];
  const named = GRADES.filter((grade) => letters.split(" ").includes(grade.toLowerCase()));
  const ranks = named.map((grade) => GRADES.indexOf(grade));
  const [best, worst] = [Math.min(...ranks), Math.max(...ranks)];
  if (side !== undefined) {
    const isBetter = ["better", "higher", "above"].includes(side);
    return isBetter ? GRADES.slice(0, worst + 1) : GRADES.slice(best, GRADES.indexOf("NR"));
  }
  return /\bto\b/.test(letters) ? GRADES.slice(best, worst + 1) : named;
}

/** The business with most words of its legal name, or the public id, in the query. The country is no name of a business. */
function businessOf(
  named: readonly MatchedText[],
  countries: readonly Country[],
): Pick<Scope, "business" | "isUnclear"> {
  const ofCountries = new Set(termsOf(countries.map(({ name }) => name).join(" ")));
  const scored = named.flatMap(({ text: { kind, title, publicId }, terms }) => {
    if (kind !== "originator") return [];
    const words = termsOf(title).filter((term) => terms.has(term) && !ofCountries.has(term));
    // A public id in the query matches without terms.
    const score = terms.size === 0 ? Number.POSITIVE_INFINITY : words.length;
    return score === 0 ? [] : [{ publicId, score }];
  });
  const most = Math.max(...scored.map(({ score }) => score));
  const best = scored.filter(({ score }) => score === most);
  return { business: best.length === 1 ? (best[0]?.publicId ?? null) : null, isUnclear: best.length > 1 };
}
