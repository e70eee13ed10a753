/**
 * Text normalised for search.
 * @module
 */

/** Lowercase without accents: "Käserei" and "kaserei" are equal. */
export function withoutCaseAndAccents(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
