/** @module The part of a text that is shown for a hit, and the words of it that were looked for. */
import { type Word, wordsIn } from "./terms.ts";

export const LONGEST_EXCERPT = 240;

const BEFORE = "… ";
const AFTER = " …";
/** A passage that begins with a sentence is worth a little more, but less than another term. */
const SENTENCE = 0.5;

/** At most 240 characters on one line, cut between words, covering as many of the terms as possible. */
export function excerptOf(text: string, terms: ReadonlySet<string>): string {
  const line = onOneLine(text);
  if (line.length <= LONGEST_EXCERPT) return line;
  const words = wordsIn(line);
  const room = LONGEST_EXCERPT - BEFORE.length - AFTER.length;
  let best = { start: 0, end: cutOf(line, 0, room), worth: -1 };
  for (const [index, { start }] of words.entries()) {
    const from = index === 0 ? 0 : start;
    const end = cutOf(line, from, room);
    const worth = worthOf(words, index, end, terms) + (beginsSentence(line, from) ? SENTENCE : 0);
    if (worth > best.worth) best = { start: from, end, worth };
    if (end === line.length) break;
  }
  const { start, end } = best;
  return `${start > 0 ? BEFORE : ""}${line.slice(start, end).trim()}${end < line.length ? AFTER : ""}`;
}

/** Joins lines; those that do not end like a sentence (items, rows) with a semicolon. */
function onOneLine(text: string): string {
  return text
    .replace(/([^\s])\s*\n\s*(?=\S)/g, (_, last: string) =>
      /[.,:;!?]/.test(last) ? `${last} ` : `${last}; `,
    )
    .replace(/\s+/g, " ")
    .trim();
}

/** The end of a passage from `start`: after the last word that fits, or inside a word too long to fit. */
function cutOf(line: string, start: number, room: number): number {
  if (line.length - start <= room) return line.length;
  const space = line.lastIndexOf(" ", start + room);
  if (space > start) return space;
  const end = start + room;
  // Never splits a surrogate pair.
  return /[\uD800-\uDBFF]/.test(line.charAt(end - 1)) ? end - 1 : end;
}

function beginsSentence(line: string, start: number): boolean {
  return start === 0 || /[.:;!?] $/.test(line.slice(start - 2, start));
}

function worthOf(words: readonly Word[], first: number, end: number, terms: ReadonlySet<string>): number {
  const found = new Set<string>();
  for (let index = first; index < words.length; index++) {
    const word = words[index];
    if (word === undefined || word.end > end) break;
    for (const term of word.terms) if (terms.has(term)) found.add(term);
  }
  return found.size;
}

/** The places in a text of the words looked for: from the first character of each to behind its last. */
export function marksIn(text: string, terms: ReadonlySet<string>): (readonly [start: number, end: number])[] {
  return wordsIn(text)
    .filter((word) => word.terms.some((term) => terms.has(term)))
    .map(({ start, end }) => [start, end]);
}
