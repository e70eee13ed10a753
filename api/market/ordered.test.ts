import fc from "fast-check";
import { expect, it } from "vitest";
import { type Edit, withEdits } from "./ordered.ts";

type Item = { readonly key: number };

const byKey = (a: Item, b: Item) => a.key - b.key;
const keys = (most: number) => fc.uniqueArray(fc.nat(50), { maxLength: most });

/** A sorted list, and edits of some of its items: they go, come, or move to another key. */
const edited = fc
  .record({ keys: keys(30), edits: fc.array(fc.tuple(fc.nat(), fc.option(fc.nat(50)))) })
  .map((drawn) => {
    const items: readonly Item[] = drawn.keys.map((key) => ({ key })).sort(byKey);
    const after = new Map(items.map((item) => [item.key, item]));
    const edits = drawn.edits.flatMap(([place, key]): Edit<Item>[] => {
      const before = items[place % (items.length + 3)] ?? null;
      if (before !== null && after.get(before.key) !== before) return [];
      if (before !== null) after.delete(before.key);
      if (key === null || after.has(key)) return before === null ? [] : [{ before, after: null }];
      const item = { key };
      after.set(key, item);
      return [{ before, after: item }];
    });
    return { items, edits, expected: [...after.values()].sort(byKey) };
  });

it("is the list of the items that are there then, in order, and leaves the list as it was", () => {
  fc.assert(
    fc.property(edited, ({ items, edits, expected }) => {
      const untouched = [...items];
      const found = withEdits(items, edits, byKey);
      expect(found).toHaveLength(expected.length);
      for (const [place, item] of expected.entries()) expect(found[place]).toBe(item);
      expect(items).toEqual(untouched);
    }),
    { numRuns: 2_000 },
  );
});
