/** @module Rows by a text, in one table of numbers: the texts themselves are where the rows are. */

/** FNV-1a over UTF-16 units, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

export type KeyIndex = {
  add(text: string, row: number): void;
  /** The rows that may have this text, and perhaps others: the last added first. */
  candidates(text: string): Iterable<number>;
  /** the table, for a snapshot */
  places(): Int32Array;
};

/** Share of the places that may be taken. */
const FULL = 0.7;

/** @param textOf of a row @param known the table of a snapshot */
export function createKeyIndex(textOf: (row: number) => string, known?: Int32Array): KeyIndex {
  /** rows + 1, so that 0 is a free place; those of one text follow each other, the oldest first */
  let places = known ?? new Int32Array(1_024);
  let used = 0;
  for (const place of places) if (place !== 0) used += 1;

  const put = (text: string, row: number) => {
    let at = hashOf(text) % places.length;
    while (places[at] !== 0) at = (at + 1) % places.length;
    places[at] = row + 1;
    used += 1;
  };
  const grow = () => {
    const before = places;
    const rows: number[] = [];
    for (const place of before) if (place !== 0) rows.push(place - 1);
    rows.sort((a, b) => a - b);
    places = new Int32Array(before.length * 2);
    used = 0;
    for (const row of rows) put(textOf(row), row);
  };

  return {
    add(text, row) {
      if (used >= FULL * places.length) grow();
      put(text, row);
    },
    candidates(text) {
      const found: number[] = [];
      for (let at = hashOf(text) % places.length; places[at] !== 0; at = (at + 1) % places.length)
        found.push((places[at] as number) - 1);
      return found.reverse();
    },
    places: () => places,
  };
}
