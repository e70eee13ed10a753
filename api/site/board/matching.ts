/**
 * Which raises fit the words that somebody types into the board.
 * @module
 */
import type { Market } from "../../market/project.ts";
import type { Listing } from "../../market/schema.ts";

/** What can be found of each raise, made once for a market: somebody types letter by letter. */
const texts = new WeakMap<Market, readonly string[]>();

/** The raises in which every word stands: in title, reference number, public id or the name of the business. */
export function matching(market: Market, words: string): readonly Listing[] {
  const wanted = fold(words).split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return market.listings;
  const said = texts.get(market) ?? market.listings.map((listing) => textOf(listing, market));
  texts.set(market, said);
  return market.listings.filter((_, at) => wanted.every((word) => said[at]?.includes(word)));
}

function textOf({ title, refnum, publicId, originator }: Listing, market: Market): string {
  const name = market.originatorByPublicId.get(originator)?.legalName ?? "";
  return fold([title, refnum, publicId, name].join(" "));
}

/** Without case and accents, which few type. */
function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
