/**
 * Letters as a search compares them.
 * @module
 */

/** A text in small letters without accents: "Käserei" and "kaserei" are the same. */
export function withoutCaseAndAccents(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
