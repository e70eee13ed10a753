/**
 * What a claim of the knowledge base is, and how it is written down: the words as they stand on the page, and what
 * makes them true. Whoever edits the page has to look at the claim; whoever removes the proof has to look at the page.
 * @module
 */

/** Calls the rule itself and throws when it is not what the page says. */
export type Check = () => void | Promise<void>;

/**
 * Where it is proven: `path › name of a test` (or of a group of tests), or `path#name` of what does it. Only for what
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
