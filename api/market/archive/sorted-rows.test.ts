import fc from "fast-check";
import { expect, it } from "vitest";
import { mergedWith, sortedBy } from "./sorted-rows.ts";

const key = fc.oneof(
  fc.bigInt({ min: -(2n ** 130n), max: 2n ** 130n }),
  fc.bigInt({ min: -3n, max: 3n }),
  fc.bigInt({ min: 0n, max: 4n }).map((low) => 2n ** 80n + low),
);

const compare = (keys: readonly bigint[]) => (a: number, b: number) => {
  const [one, other] = [keys[a] as bigint, keys[b] as bigint];
  return one === other ? a - b : one < other ? -1 : 1;
};

const some = fc.array(key, { minLength: 1 });

it.each([
  ["few", fc.array(key), 100],
  [
    "many",
    some.map((keys) => Array.from({ length: 2_500 }, (_, at) => keys[at % keys.length] as bigint)),
    20,
  ],
] as const)("sorts %s rows by keys of any size, and keeps the order of equal ones", (_, lists, numRuns) => {
  fc.assert(
    fc.property(lists, (keys) => {
      const rows = Int32Array.from(keys, (_, row) => row);
      expect([...sortedBy(rows, (row) => keys[row] as bigint)]).toEqual([...rows].sort(compare(keys)));
    }),
    { numRuns },
  );
});

it("merges the rows of a batch, and leaves out what is gone", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.boolean(), fc.boolean())), (all) => {
      const keys = all.map(([one]) => one);
      const sorted = all.map((_, row) => row).sort(compare(keys));
      const isAdded = (row: number) => all[row]?.[1] === true;
      const isThere = (row: number) => all[row]?.[2] === true;
      const before = Int32Array.from(sorted.filter((row) => !isAdded(row)));
      expect([...mergedWith(before, sorted.filter(isAdded), compare(keys), isThere)]).toEqual(
        sorted.filter((row) => isAdded(row) || isThere(row)),
      );
    }),
  );
});
