/** @module Reads the JSON of a registry document, and adds it to a draft. */
import { quote } from "../../config/format/untrusted-text.ts";
import { isObject } from "../../config/is-object.ts";
import type { Draft } from "./draft.ts";
import { type EntryList, LISTS } from "./known.ts";

/** A parsed document without the entries of its lists, and the lists that it has. */
export type Members = { readonly top: unknown; readonly lists: ReadonlySet<EntryList> };

/** Adds the entries of a parsed document. @param placeOf an entry's place in the source, by its path in this document */
export function addMembers(draft: Draft, value: unknown, placeOf?: (path: string) => string): Members {
  const lists = new Set<EntryList>();
  if (!isObject(value)) return { top: value, lists };
  const top: Record<string, unknown> = { ...value };
  for (const list of LISTS) {
    const entries = top[list];
    if (!Array.isArray(entries)) continue;
    lists.add(list);
    delete top[list];
    for (const [index, entry] of entries.entries()) draft.add(list, entry, placeOf?.(`${list}[${index}]`));
  }
  return { top, lists };
}

/** Checks the members besides the lists, and that no list is missing. */
export function setTop(draft: Draft, { top, lists }: Members): void {
  if (!isObject(top)) {
    draft.setTop(top);
    return;
  }
  const missing = LISTS.filter((list) => !lists.has(list)).map((list) => [list, undefined]);
  draft.setTop({ ...Object.fromEntries(missing), ...top });
}

/** The value, or the reason why there is none, such as `is not JSON: …`. */
export function parseJson(bytes: Uint8Array): { readonly value: unknown } | string {
  const text = decodeText(bytes);
  if (text === null) return "is not UTF-8";
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return `is not JSON: ${reasonOf(error)}`;
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Null for bytes that are not UTF-8. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

/** It quotes the document, which may contain control characters. */
export function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : "";
  return quote(reason.replace(/"/g, "'")).slice(1, -1);
}
