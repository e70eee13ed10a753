/** @module The part of the market that a question names: countries, grades, a business. */
import { whenAsked } from "../../config/when-asked.ts";
import { FILTERS } from "../market/listings-filters.ts";
import type { ListingsQuery } from "../market/listings-query.ts";
import type { Market } from "../market/market.ts";
import { GRADES, type Grade } from "../market/schema.ts";
import { COUNTRY_CODES, countryName } from "../registry/countries.ts";
import type { MatchedText } from "./market-texts.ts";
import { termsOf } from "./terms.ts";

/** `written` are its names in plain words, which have no sign of a regular expression. */
type Country = { code: string; name: string; written: readonly string[] };
/** `isPlaced` behind "in" or "from". */
type NamedCountry = Country & { isPlaced: boolean };

export type Scope = {
  countries: readonly Country[];
  grades: readonly Grade[];
  /** a public id: a legal name is a third party's text */
  business: string | null;
  /** whether several businesses, or an article in the place of a grade, may be meant: no answer is surely about the right part */
  isUnclear: boolean;
};

export const WHOLE_MARKET: Scope = { countries: [], grades: [], business: null, isUnclear: false };

/**
 * A text as words in lower case with single spaces. A capital A remains in "grade A", and "A-rated" becomes that: any other may be an
 * article.
 */
export function plainWords(text: string): string {
  return text
    .split(/(?<=\b(?:[Gg]rade[sd]?|[Rr]ated)\W{1,3})A\b/)
    .map((part) => part.toLowerCase())
    .join("A")
    .replace(/(?<![a-e][-, ]{0,2}|\b(?:and|or|to) )\ba-rated\b/g, "grade A")
    .replace(/[^\p{L}\p{N}'’]+/gu, " ")
    .trim();
}

/** @param text plain words @param named by the query, best first */
export function scopeOf(text: string, market: Market, named: readonly MatchedText[]): Scope {
  const countries = countriesIn(text, market);
  const found = businessOf(named, countries);
  const compared = comparedIn(text, countries);
  // "Kenya Marula" is a name; "Marula in Kenya" has a country.
  const placed = countries.filter(({ isPlaced }) => isPlaced || found.business === null);
  const grades = compared.has("grade") ? [] : gradesIn(text);
  return {
    ...found,
    countries: compared.has("country") ? [] : placed,
    grades: grades ?? [],
    isUnclear: found.isUnclear || grades === null || compared.has("other"),
  };
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
export function withoutPart(text: string, { countries, grades }: Scope): string {
  const names = countries.flatMap(({ written }) => written).join("|");
  const phrase = new RegExp(`(?: (?:in|from|of|and|or))?(?: the)? (?:${names})(?= )`, "g");
  const bare = names === "" ? text : ` ${text} `.replace(phrase, "");
  const graded = grades.length === 0 ? null : gradedIn(bare);
  return bare
    .replace(graded?.[0] ?? "", "")
    .replace(/ +/g, " ")
    .trim();
}

/** The query with the names of the market's countries in the place of their codes, as in "raises in KE or DK". */
export function withCountryNames(query: string, { originators }: Pick<Market, "originators">): string {
  const known = new Set(originators.map(({ jurisdiction }) => jurisdiction));
  const name = (code: string) => NAMES().find((one) => one.code === code && known.has(code))?.name ?? code;
  return query.replace(CODES, (codes) => codes.replace(/[A-Z]{2}/g, name));
}

const NAMES = whenAsked((): Country[] =>
  COUNTRY_CODES.map((code) => {
    const name = countryName(code);
    return { code, name, written: [plainWords(name), ...(SHORT_NAMES[code] ?? [])] };
  }),
);
/** "US dollars" are no country. */
const CODES = /(?<=\b(?:[Ii]n|[Ff]rom) )[A-Z]{2}(?:(?:,? (?:and|or) |, ?)[A-Z]{2})*\b(?! dollars?\b)/g;
const SHORT_NAMES: Readonly<Record<string, readonly string[]>> = { GB: ["uk"], US: ["usa"] };

/** Words of a question about what is not of the part that it names, about more than that, or about an amount. */
const COMPARISON =
  /\b(?:not (?:in|from|of|with|graded?|rated(?= (?:[a-eA]|nr)\b))|except|excluding|outside|other than|at least|at most|minimum|maximum|below|under|above|over(?= \d)|better than|worse than|(?:more|less|fewer) than)\b/;
/** May stand between a comparison and a grade or a country. */
const BETWEEN = "(?: (?:in|from|of|with|an?|the|those|ones|raises|loans|deals|businesses|companies))*";
/** Such as "grade B at least". */
const GRADE_BEFORE = new RegExp(`\\b(?:grades?|graded|rated) (?:[b-eA]|nr) ${COMPARISON.source}$`);
const GRADE_NEXT = new RegExp(`^${BETWEEN} (?:grades?|graded|rated|unrated|[b-eA]|nr)\\b`);

/** The subjects of a question's comparisons. The market answers conditions on grades and countries only. */
function comparedIn(text: string, countries: readonly Country[]): Set<"grade" | "country" | "other"> {
  const names = countries.flatMap(({ written }) => written).join("|");
  const isCountry = (rest: string) =>
    names !== "" && new RegExp(`^${BETWEEN} (?:${names})(?: |$)`).test(rest);
  const [, ...rests] = text.split(COMPARISON);
  return new Set(
    rests.map((rest) => {
      if (rest === "" && GRADE_BEFORE.test(text)) return "grade";
      return GRADE_NEXT.test(rest) ? "grade" : isCountry(rest) ? "country" : "other";
    }),
  );
}

/** Countries of the market wherever they are named, others only behind "in", "from" or "of". The longest names first: one may contain another. */
function countriesIn(text: string, { originators }: Market): NamedCountry[] {
  const known = new Set(originators.map(({ jurisdiction }) => jurisdiction));
  const found = new Map<string, NamedCountry>();
  let words = ` ${text} `;
  const names = NAMES().flatMap((country) => country.written.map((name) => ({ country, name })));
  for (const { country, name } of names.sort((a, b) => b.name.length - a.name.length)) {
    if (!words.includes(` ${name} `)) continue;
    const isBehind = (before: string) => new RegExp(` (?:${before})(?: the)? ${name} `).test(words);
    const isPlaced = isBehind("in|from");
    if (isPlaced || isBehind("of|and|or") || known.has(country.code))
      found.set(country.code, { ...country, isPlaced });
    words = words.replaceAll(` ${name} `, " | ");
  }
  return NAMES().flatMap(({ code }) => found.get(code) ?? []);
}

const LETTERS = "((?:(?:[a-eA]|nr|and|or|to) )*(?:[a-eA]|nr))";
const GRADED = [
  new RegExp(
    `\\b(?:(?:with|of) (?:an? |the )?)?(?:grades?|graded|rated) ${LETTERS}\\b(?: (?:and|or) (better|higher|worse|lower)\\b)?(?=(.*))`,
  ),
  new RegExp(`\\b${LETTERS} rated\\b`),
];
/** Follows a lone small "a" where that is a grade and not an article. */
const AFTER_A =
  /^$|^ (?:are|is|raises?|loans?|deals?|listings?|projects|businesses|borrowers?|originators?|companies|in|from|of|with|that|open|now|right)\b/;

function gradedIn(text: string): RegExpExecArray | null {
  return GRADED.map((form) => form.exec(text)).find((match) => match !== null) ?? null;
}

/** The grades of "grade A", "grades A to C", "graded B or better", "A-rated" and "unrated"; null where "a" may be an article. */
function gradesIn(text: string): Grade[] | null {
  if (/\b(?:unrated|not rated)\b/.test(text)) return ["NR"];
  const [, letters, side, rest] = gradedIn(text) ?? [];
  if (letters === undefined) return [];
  // "A rated raise" has an article for sure.
  if (letters === "a" && rest === undefined) return [];
  if (letters === "a" && side === undefined && !AFTER_A.test(rest ?? "")) return null;
  const named = GRADES.filter((grade) => letters.toUpperCase().split(" ").includes(grade));
  const ranks = named.map((grade) => GRADES.indexOf(grade));
  const [best, worst] = [Math.min(...ranks), Math.max(...ranks)];
  if (side !== undefined) {
    const isBetter = ["better", "higher"].includes(side);
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
