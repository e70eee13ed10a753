/** @module The rows of the archive whose search text has a word. Texts of rows never change: of a known word only later rows are searched. */
import { LRUCache } from "lru-cache";
import type { RowsWith } from "./archived-facts.ts";

/** Words that are remembered, with a bit for each row. */
const MOST_WORDS = 64;

/** The search texts one after the other, each with a line feed, where each of them ends, and how many there are. */
type Texts = { bytes: Uint8Array; ends: Float64Array; rows: number };

export function createWordIndex(texts: () => Texts) {
  const known = new LRUCache<string, RowsWith>({ max: MOST_WORDS });
  return (word: string): RowsWith => {
    const { bytes, ends, rows } = texts();
    const before = known.get(word);
    if (before?.rows === rows) return before;
    const bits = new Uint8Array(Math.ceil(rows / 8));
    if (before !== undefined) bits.set(before.bits);
    const all = Buffer.from(bytes.buffer, bytes.byteOffset, rows === 0 ? 0 : ends[rows - 1]);
    let row = before?.rows ?? 0;
    for (;;) {
      const at = all.indexOf(word, row === 0 ? 0 : ends[row - 1]);
      if (at < 0) break;
      row = firstEndAfter(ends, at, row, rows);
      bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
      row++;
      if (row === rows) break;
    }
    const found = { bits, rows };
    known.set(word, found);
    return found;
  };
}

/** The row whose text ends after this place. @param from a row that begins at or before it */
function firstEndAfter(ends: Float64Array, place: number, from: number, rows: number): number {
  let [low, step] = [from, 1];
  while (low + step < rows && (ends[low + step - 1] as number) <= place) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, rows);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] as number) > place) high = middle;
    else low = middle + 1;
  }
  return low;
}
