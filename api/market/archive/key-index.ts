/** @module Rows by a text, in one table of numbers: the texts themselves are where the rows are. */

import { hashOfText } from "../../../config/hash-text.ts";

export type KeyIndex = {
  add(text: string, row: number): void;
  /** The rows that may have this text, and perhaps others: the last added first. */
  candidates(text: string): Iterable<number>;
  /** the table, for a snapshot */
  places(): Int32Array;
};

/** Share of the places that may be taken. */
const FULL = 0.7;

/**
 * @param textOf of a row
 * @param room rows that are expected: as the table grows, the texts of all rows are read again
 * @param known the table of a snapshot, in which so many rows are
 */
export function createKeyIndex(
  textOf: (row: number) => string,
  room: number,
  known?: { places: Int32Array; rows: number },
): KeyIndex {
  /** rows + 1, so that 0 is a free place; those of one text follow each other, the oldest first */
  let places = known?.places ?? new Int32Array(2 ** Math.max(10, Math.ceil(Math.log2(room / FULL))));
  let used = known?.rows ?? 0;

  const put = (text: string, row: number) => {
    const mask = places.length - 1;
    let at = hashOfText(text) & mask;
    while (places[at] !== 0) at = (at + 1) & mask;
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
      const mask = places.length - 1;
      for (let at = hashOfText(text) & mask; places[at] !== 0; at = (at + 1) & mask)
        found.push((places[at] as number) - 1);
      return found.reverse();
    },
    places: () => places,
  };
}
