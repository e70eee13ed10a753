/** @module The `X-Markdown-Tokens` header: an estimate of a text's tokens, which an agent can read from a HEAD. */

/**
 * The pieces at which the byte-pair tokenizers of today's models cut a text before they look anything up: a word with the
 * space before it, up to three digits, signs in a row, blank space.
 */
const PIECES = / ?\p{L}[\p{L}\p{M}]*|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+|\s+/gu;

/** A word of this many letters is mostly one token; longer ones are put together from parts. */
const LETTERS_A_TOKEN = 7;
/** Frequent combinations of signs, such as `](` and `**`. */
const SIGNS_A_TOKEN = 2;

/**
 * An estimate of a text's tokens, without any model's vocabulary: one for each piece, more for a long one. English prose
 * comes out at four characters a token, the vendors' rule of thumb; addresses, hashes and amounts, common on our pages, at about
 * two, where that rule would estimate half of the true number. A letter beyond Latin counts as one.
 *
 * @returns at least 1 for a text that is not empty
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += tokensOf(piece);
  return tokens;
}

function tokensOf(piece: string): number {
  const content = piece.trim();
  if (content === "" || /^\p{N}/u.test(content)) return 1;
  if (!/^\p{L}/u.test(content)) return Math.ceil(content.length / SIGNS_A_TOKEN);
  return /^\p{Script=Latin}/u.test(content)
    ? Math.ceil(content.length / LETTERS_A_TOKEN)
    : [...content].length;
}
