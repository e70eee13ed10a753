/**
 * The form of a claim of the knowledge base: the words as they stand on the page, and what
 * makes them true. Editing the page means checking the claim, and removing the proof means checking the page.
 * @module
 */

/** Calls the rule itself and throws when it is not what the page says. */
export type Check = () => void | Promise<void>;

/**
 * The place of its proof: `path › name of a test` (or of a group of tests), or `path#name` of the code. Only for what
 * needs a chain, a database or many cases; everything else is checked here.
 */
type Reference = string;

/** `definition`, `advice`: words, which nothing in the service could contradict. */
type Proof = Check | readonly [Reference, ...Reference[]] | "definition" | "advice";

export type Claim = { page: string; anchor: string; quote: string; proof: Proof };

/** The claims of one section. */
export function section(
  page: string,
  anchor: string,
  claims: readonly (readonly [quote: string, proof: Proof])[],
): Claim[] {
  return claims.map(([quote, proof]) => ({ page, anchor, quote, proof }));
}
