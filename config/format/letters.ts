/** @module Text normalised for search. */

/** Has nothing to decompose. */
const ASCII = /^[\0-\x7f]*$/;

/** Lowercase without accents: "Käserei" and "kaserei" are equal. */
export function withoutCaseAndAccents(text: string): string {
  return (ASCII.test(text) ? text : text.normalize("NFKD").replace(/\p{M}/gu, "")).toLowerCase();
}
