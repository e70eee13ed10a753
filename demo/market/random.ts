/** @module Repeatable randomness: the same seed and name give the same sequence on every machine. */

export type Random = {
  /** At least 0, below 1. */
  next(): number;
  /** At least `low`, below `high`. */
  between(low: number, high: number): number;
  /** An integer from `low` to `high`, both included. */
  integer(low: number, high: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** @throws if there is nothing to pick from */
  pick<Item>(items: readonly Item[]): Item;
  shuffled<Item>(items: readonly Item[]): Item[];
};

/** An independent stream per name, so that a change to one raise does not affect others. */
export function createRandom(seed: number, name: string): Random {
  let state = hash(`${seed}/${name}`);
  // mulberry32: small, fast, and good enough here.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + next() * (high - low);
  const integer = (low: number, high: number) => Math.floor(between(low, high + 1));
  return {
    next,
    between,
    integer,
    chance: (probability) => next() < probability,
    pick(items) {
      const item = items[integer(0, items.length - 1)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
    shuffled(items) {
      const rest = [...items];
      return items.flatMap(() => rest.splice(integer(0, rest.length - 1), 1));
    },
  };
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193);
  return value;
}
