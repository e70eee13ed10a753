/**
 * Rows by key, for millions of them: those that were not used lately are bytes, a third of what they take as objects, and the garbage
 * collector does not look at them. Every row can still be read and written.
 * @module
 */
import { hashOfText } from "../../config/hash-text.ts";
import { createRowCodec } from "../../config/row-codec.ts";
import type { Rows } from "../../src/fold/memory.ts";
import { createSlabs } from "./slabs.ts";

/** Rows that stay objects at least, of those that were read or written last; at most there are twice as many. */
const KEPT = 20_000;
/** Rows of a table that a step may read and write. */
const LEAST_KEPT = 4;
/** At most this share of the slots is taken. */
const MOST_TAKEN = 1 / 2;
const FIRST_SLOTS = 1_024;

/** A row as an object. */
type Open<Row> = { key: string; row: Row; number: number; turn: number };

/**
 * A row that was read may be changed in place, before others are read and written.
 * @param keyOf the key of a row; all rows have the same columns
 * @param kept as `KEPT`, for tests
 */
export function createPackedRows<Row extends object>(keyOf: (row: Row) => string, kept = KEPT): Rows<Row> {
  const slabs = createSlabs();
  const codec = createRowCodec<Row>();
  const most = Math.max(kept, LEAST_KEPT);
  /** By number, from 0: the place of the row's bytes, or -1 - the index of its object; and the hash of its key. */
  const places: number[] = [];
  let hashes = new Uint32Array(FIRST_SLOTS * MOST_TAKEN);
  /** A number + 1 each, at or after the place that the hash of its key gives; 0 for an empty slot. */
  let slots = new Uint32Array(FIRST_SLOTS);
  const objects: (Open<Row> | null)[] = [];
  const free: number[] = [];
  /** Rows that were used in this turn are not packed before the end of the next one. */
  let [turn, used] = [0, 0];
  /** A key without a row, as it was just looked for: a new row is looked for before it is written. */
  let [missing, missingHash]: [string | null, number] = [null, 0];

  const packOlder = () => {
    for (const [index, open] of objects.entries()) {
      if (open === null || open.turn === turn) continue;
      places[open.number] = slabs.put(codec.pack(open.row));
      objects[index] = null;
      free.push(index);
    }
    turn += 1;
    used = 0;
  };
  const use = (one: Open<Row>): Open<Row> => {
    if (one.turn === turn) return one;
    one.turn = turn;
    if (used === most) packOlder();
    one.turn = turn;
    used += 1;
    return one;
  };
  const open = (key: string, row: Row, number: number): Open<Row> => {
    const one = use({ key, row, number, turn: turn - 1 });
    const index = free.pop() ?? objects.length;
    objects[index] = one;
    places[number] = -1 - index;
    return one;
  };

  const find = (key: string): Open<Row> | undefined => {
    if (key === missing) return undefined;
    const hash = hashOfText(key);
    const mask = slots.length - 1;
    for (let slot = hash & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const number = (slots[slot] as number) - 1;
      if (hashes[number] !== hash) continue;
      const place = places[number] as number;
      if (place < 0) {
        const one = objects[-1 - place] as Open<Row>;
        if (one.key === key) return use(one);
        continue;
      }
      const row = codec.unpack(...slabs.at(place));
      if (keyOf(row) !== key) continue;
      slabs.free(place);
      return open(key, row, number);
    }
    [missing, missingHash] = [key, hash];
    return undefined;
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
    for (const number of places.keys()) note(number, hashes[number] as number);
  };

  return {
    areOwned: true,
    get: (key) => find(key)?.row,
    set(key, row) {
      const known = find(key);
      if (known !== undefined) {
        known.row = row;
        return;
      }
      const number = places.length;
      if (number === hashes.length) grow();
      hashes[number] = missingHash;
      note(number, missingHash);
      open(key, row, number);
      missing = null;
    },
    *values() {
      for (const place of places)
        yield place < 0 ? (objects[-1 - place] as Open<Row>).row : codec.unpack(...slabs.at(place));
    },
  };
}
