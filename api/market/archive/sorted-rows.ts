/** @module Rows of the archive in an order: sorted once, and merged with the rows of later batches. */

/** Up to so many rows a comparison sort is faster: each pass over digits looks at all values of a digit. */
const FEW = 2_000;
const DIGIT = 16;
const VALUES = 1 << DIGIT;
/** Passes over the digits of a 64-bit number. */
const PASSES = 64 / DIGIT;

/**
 * Sorts rows by their keys, lowest first; rows with equal keys keep their order.
 * @param keyOf an integer; above 2^53 the nearest numbers are compared first, then the keys themselves
 */
export function sortedBy(rows: Int32Array, keyOf: (row: number) => bigint): Int32Array {
  if (rows.length <= FEW) return Int32Array.from(inOrderOfKeys(rows, keyOf));
  const keys = Float64Array.from(rows, (row) => Number(keyOf(row)));
  const order = byNumbers(keys);
  const sorted = order.map((index) => rows[index] as number);
  sortRuns(sorted, order, keys, keyOf);
  return sorted;
}

/** The indexes of the numbers in their order: a stable radix sort of their bits. */
function byNumbers(keys: Float64Array): Int32Array {
  const words = new Uint16Array(keys.buffer.slice(0));
  for (let index = 0; index < keys.length; index++) {
    // In this form the bits of a number are in the order of the numbers.
    const isNegative = ((words[index * PASSES + PASSES - 1] as number) & 0x8000) !== 0;
    for (let word = 0; word < PASSES; word++) {
      const at = index * PASSES + word;
      if (isNegative) words[at] = ~(words[at] as number);
      else if (word === PASSES - 1) words[at] = (words[at] as number) | 0x8000;
    }
  }
  let order = Int32Array.from(keys, (_, index) => index);
  for (let pass = 0; pass < PASSES; pass++) {
    const starts = new Uint32Array(VALUES + 1);
    for (let index = 0; index < keys.length; index++)
      (starts[(words[index * PASSES + pass] as number) + 1] as number)++;
    // All in one place: nothing to move.
    if (starts.includes(keys.length)) continue;
    for (let value = 0; value < VALUES; value++)
      starts[value + 1] = (starts[value] as number) + (starts[value + 1] as number);
    const next = new Int32Array(order.length);
    for (const index of order) {
      const value = words[index * PASSES + pass] as number;
      next[starts[value] as number] = index;
      starts[value] = (starts[value] as number) + 1;
    }
    order = next;
  }
  return order;
}

function inOrderOfKeys(rows: Int32Array, keyOf: (row: number) => bigint): number[] {
  const keyed = Array.from(rows, (row) => ({ row, key: keyOf(row) }));
  keyed.sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -1 : 1));
  return keyed.map(({ row }) => row);
}

/** Sorts what the numbers could not tell apart. */
function sortRuns(sorted: Int32Array, order: Int32Array, keys: Float64Array, keyOf: (row: number) => bigint) {
  const numberAt = (at: number) => keys[order[at] as number] as number;
  for (let start = 0; start < sorted.length; ) {
    const number = numberAt(start);
    let end = start + 1;
    while (end < sorted.length && numberAt(end) === number) end++;
    if (end - start > 1 && !Number.isSafeInteger(number)) {
      sorted.set(inOrderOfKeys(sorted.subarray(start, end), keyOf), start);
    }
    start = end;
  }
}

/**
 * The rows of an order that are still there, and others, which are few, in their places.
 * @param added in the same order
 */
export function mergedWith(
  order: Int32Array,
  added: readonly number[],
  compare: (a: number, b: number) => number,
  isThere: (row: number) => boolean,
): Int32Array {
  const kept = order.filter(isThere);
  const merged = new Int32Array(kept.length + added.length);
  let from = 0;
  let to = 0;
  for (const row of added) {
    const place = firstFrom(kept, from, (other) => compare(other, row) > 0);
    merged.set(kept.subarray(from, place), to);
    to += place - from;
    merged[to++] = row;
    from = place;
  }
  merged.set(kept.subarray(from), to);
  return merged;
}

/** The first place at or after `from` whose row is past what is looked for; the length when none is. */
export function firstFrom(order: Int32Array, from: number, isPast: (row: number) => boolean): number {
  let [low, high] = [from, order.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isPast(order[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
}
