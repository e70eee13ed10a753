/**
 * Leaves that come in any order, to be put into a tree in the order of their keys. In another order each would copy the leaves that it
 * comes between.
 * @module
 */
import { FIRST_DIGITS, firstDigitsOf, type Leaf, leafAt, type Packed, packSorted } from "./packed-leaves.ts";

export type LeafPile = {
  add(leaf: Leaf): void;
  /** All of them, by the first digits of their keys, in parts of at least `PART` leaves but for the last. */
  inOrder(): Generator<readonly Leaf[], void>;
};

/** Leaves that are sorted at once, and kept as bytes from then on. */
const SORTED = 1_000;
const PART = 100;

export function createLeafPile(): LeafPile {
  const runs: Packed[] = [];
  let rest: Leaf[] = [];
  const sortRest = () => {
    if (rest.length > 0) runs.push(packSorted(rest));
    rest = [];
  };
  return {
    add(leaf) {
      if (rest.push(leaf) >= SORTED) sortRest();
    },
    *inOrder() {
      sortRest();
      const cursors = runs.map((run) => ({ run, at: 0 }));
      let part: Leaf[] = [];
      for (let digits = 0; digits < 16 ** FIRST_DIGITS; digits += 1) {
        for (const cursor of cursors)
          while (cursor.at < cursor.run.count && firstDigitsOf(cursor.run, cursor.at) === digits)
            part.push(leafAt(cursor.run, cursor.at++));
        if (part.length < PART) continue;
        yield part;
        part = [];
      }
      if (part.length > 0) yield part;
    },
  };
}
