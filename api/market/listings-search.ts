/** @module The search of listings by words. Pure. */
import { withoutCaseAndAccents } from "../../config/format/letters.ts";
import type { ColumnFields } from "./columns.ts";
import type { Lookup } from "./market.ts";
import type { Listing, Originator } from "./schema.ts";

/** A reference number or a public id, in small letters: each names one raise. */
const ID = /^([a-z]+\d{5}|lst_[\w-]+)$/;

/**
 * The test of a search: every word must be in a listing's texts, of several ids one of them. Null for a search without words.
 * @param q words, ids, or both
 */
export function searchOf(
  q: string,
  originators: Lookup<Pick<Originator, "legalName">>,
): ((row: ColumnFields) => boolean) | null {
  const given = withoutCaseAndAccents(q).split(/\s+/).filter(Boolean);
  const ids = given.filter((word) => ID.test(word));
  // A single id is a word like others: it may be part of a title.
  const words = ids.length > 1 ? given.filter((word) => !ID.test(word)) : given;
  if (given.length === 0) return null;
  const names = new Map<string, string>();
  const nameOf = (originator: string): string => {
    const name = names.get(originator) ?? withoutCaseAndAccents(originators.get(originator)?.legalName ?? "");
    names.set(originator, name);
    return name;
  };
  const isMatch = (row: ColumnFields): boolean => {
    const text = row.searchText ?? textOf(row as Listing);
    const has = (word: string) => text.includes(word) || nameOf(row.originator).includes(word);
    return words.every(has) && (ids.length < 2 || ids.some(has));
  };
  return (row) => row.remember?.(q, isMatch) ?? isMatch(row);
}

/** The searchable text of a listing: people search letter by letter. */
const texts = new WeakMap<Listing, string>();

function textOf(listing: Listing): string {
  const { title, refnum, publicId } = listing;
  const text = texts.get(listing) ?? withoutCaseAndAccents([title, refnum, publicId].join(" "));
  texts.set(listing, text);
  return text;
}
