/**
 * Rows by key, for millions of them: those that were not written lately are bytes, a third of what they take as objects, and the garbage
 * collector does not look at them. Every row can still be read and written.
 * @module
 */
import { hashOfText } from "../../config/hash-text.ts";
import type { Rows } from "../../src/fold/memory.ts";
import { createRowCodec, createSlabs } from "./row-bytes.ts";

/** Rows that stay objects at least, of those that were read or written last; at most there are twice as many. */
const KEPT = 20_000;
/** Rows of a table that a step may read and write. */
const LEAST_KEPT = 4;
/** At most this share of the slots is taken. */
const MOST_TAKEN = 1 / 2;
const FIRST_SLOTS = 1_024;

type Young<Row> = {
  row: Row;
  /** the number that it has had as a packed one; null for a new row */
  number: number | null;
};

/**
 * A row that was read may be changed in place, before others are read and written.
 * @param keyOf the key of a row; all rows have the same columns
 * @param kept as `KEPT`, for tests
 */
export function createPackedRows<Row extends object>(keyOf: (row: Row) => string, kept = KEPT): Rows<Row> {
  const packed = createNumbered(keyOf);
  /** Those that were used since the others were packed, and the ones from before. */
  let [young, older] = [new Map<string, Young<Row>>(), new Map<string, Young<Row>>()];
  const most = Math.max(kept, LEAST_KEPT);
  /** A key without a row, as it was just found: a new row is looked for before it is written. */
  let missing: string | null = null;

  const keep = (key: string, one: Young<Row>) => {
    if (young.size >= most) {
      for (const [olderKey, { row, number }] of older) packed.put(olderKey, row, number);
      [young, older] = [new Map(), young];
    }
    young.set(key, one);
    missing = null;
  };
  const find = (key: string): Young<Row> | undefined => {
    if (key === missing) return undefined;
    const known = young.get(key);
    if (known !== undefined) return known;
    const one = older.get(key) ?? packed.take(key);
    if (one === undefined) {
      missing = key;
      return undefined;
    }
    older.delete(key);
    keep(key, one);
    return one;
  };

  return {
    areOwned: true,
    get: (key) => find(key)?.row,
    set(key, row) {
      const known = find(key);
      if (known === undefined) keep(key, { row, number: null });
      else known.row = row;
    },
    *values() {
      yield* packed.values();
      for (const rows of [older, young]) for (const { row } of rows.values()) yield row;
    },
  };
}

/** Packed rows with numbers from 0, and a table of slots that finds the number of a key. */
function createNumbered<Row extends object>(keyOf: (row: Row) => string) {
  const slabs = createSlabs();
  const codec = createRowCodec<Row>();
  /** Of each number: the place of its bytes, or -1 while the row is an object; and the hash of its key. */
  const places: number[] = [];
  let hashes = new Uint32Array(FIRST_SLOTS * MOST_TAKEN);
  /** A number + 1 each; 0 for an empty slot. */
  let slots = new Uint32Array(FIRST_SLOTS);

  const rowAt = (place: number): Row => codec.unpack(...slabs.at(place));

  /** @returns undefined without a packed row of this key */
  const find = (key: string): { number: number; row: Row } | undefined => {
    const hash = hashOfText(key);
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = (slots[slot] ?? 0) - 1;
      if (number === -1) return undefined;
      const place = places[number] ?? -1;
      if (hashes[number] !== hash || place === -1) continue;
      const row = rowAt(place);
      if (keyOf(row) === key) return { number, row };
    }
  };

  const note = (number: number, hash: number) => {
    const mask = slots.length - 1;
    let slot = hash & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = number + 1;
  };

  const grow = () => {
    const larger = new Uint32Array(hashes.length * 2);
    larger.set(hashes);
    hashes = larger;
    slots = new Uint32Array(slots.length * 2);
    for (let number = 0; number < places.length; number += 1) note(number, hashes[number] ?? 0);
  };

  return {
    /** Gives up the bytes of a row that becomes an object again. */
    take(key: string): Young<Row> | undefined {
      const found = find(key);
      if (found === undefined) return undefined;
      slabs.free(places[found.number] ?? 0);
      places[found.number] = -1;
      return found;
    },
    /** @param number from when it was packed before */
    put(key: string, row: Row, number: number | null) {
      const place = slabs.put(codec.pack(row));
      if (number !== null) {
        places[number] = place;
        return;
      }
      if (places.length === hashes.length) grow();
      hashes[places.length] = hashOfText(key);
      note(places.length, hashes[places.length] ?? 0);
      places.push(place);
    },
    *values(): Generator<Row> {
      for (const place of places) if (place !== -1) yield rowAt(place);
    },
  };
}
