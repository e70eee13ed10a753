/** @module The search of listings by words. Pure. */
import { withoutCaseAndAccents } from "../../config/format/letters.ts";
import { isRow, type ListingFacts } from "./archive/facts.ts";
import type { Lookup } from "./market.ts";
import type { Originator } from "./originator.ts";
import type { Listing } from "./schema.ts";

/** A reference number or a public id, in small letters: each names one raise. */
const ID = /^([a-z]+\d{5}|lst_[\w-]+)$/;

/**
 * The test of a search: every word must be in a listing's texts, and of several ids one must be its own. Null for a search without words.
 * @param q words, ids, or both
 */
export function searchOf(
  q: string,
  originators: Lookup<Pick<Originator, "legalName">>,
): ((listing: ListingFacts) => boolean) | null {
  const given = withoutCaseAndAccents(q).split(/\s+/).filter(Boolean).flatMap(idsOrWord);
  const ids = new Set(given.filter((word) => ID.test(word)));
  // A single id is a word like others: it may be part of a title.
  const words = ids.size > 1 ? given.filter((word) => !ID.test(word)) : given;
  if (given.length === 0) return null;
  const names = new Map<string, string>();
  /** Without case and accents. */
  const nameOf = (originator: string): string => {
    const known = names.get(originator);
    if (known !== undefined) return known;
    const name = withoutCaseAndAccents(originators.get(originator)?.legalName ?? "");
    names.set(originator, name);
    return name;
  };
  const named = ids.size > 1 ? [...ids] : null;
  return (listing) => {
    if (named !== null && !isNamed(listing, named)) return false;
    const name = nameOf(listing.originator);
    if (isRow(listing)) return words.every((word) => listing.has(word) || name.includes(word));
    const text = textOf(listing as Listing, name);
    return words.every((word) => text.includes(word));
  };
}

function isNamed(listing: ListingFacts, ids: readonly string[]): boolean {
  // Whether a row has the letters is known before its ids are read.
  if (isRow(listing) && !ids.some((id) => listing.has(id))) return false;
  return ids.includes(listing.publicId.toLowerCase()) || ids.includes(listing.refnum.toLowerCase());
}

/** Ids may have commas between them, as in other parameters. */
function idsOrWord(word: string): string[] {
  const parts = word.split(",").filter(Boolean);
  return parts.every((part) => ID.test(part)) ? parts : [word];
}

/** The searchable text of a listing, with the name that it was made with: people search letter by letter. */
const texts = new WeakMap<Listing, { name: string; text: string }>();

function textOf(listing: Listing, name: string): string {
  let kept = texts.get(listing);
  if (kept?.name !== name) {
    const { title, refnum, publicId } = listing;
    kept = { name, text: `${withoutCaseAndAccents(`${title} ${refnum} ${publicId}`)} ${name}` };
    texts.set(listing, kept);
  }
  return kept.text;
}
