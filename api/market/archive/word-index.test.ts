import fc from "fast-check";
import { expect, it } from "vitest";
import { createWordIndex } from "./word-index.ts";

it("says of each row whether its text has a word, also when rows have come since", () => {
  const words = fc.constantFrom("a", "b", "ab", "ba", "aa", "é", "🥐", "ab🥐");
  const text = fc.array(words, { maxLength: 4 }).map((some) => some.join(" "));
  const property = fc.property(fc.array(text, { maxLength: 20 }), words, fc.nat(20), (all, word, first) => {
    const texts: string[] = [];
    const rowsWith = createWordIndex(() => {
      const bytes = Buffer.from(texts.map((one) => `${one}\n`).join(""));
      let end = 0;
      const ends = Float64Array.from(texts, (one) => (end += Buffer.byteLength(one) + 1));
      return { bytes, ends, rows: texts.length };
    });
    for (const rows of [all.slice(0, first), all.slice(first)]) {
      texts.push(...rows);
      const { bits, rows: count } = rowsWith(word);
      const found = texts.map((_, row) => ((bits[row >> 3] ?? 0) & (1 << (row & 7))) !== 0);
      expect([count, found]).toEqual([texts.length, texts.map((one) => one.includes(word))]);
    }
  });
  fc.assert(property, { numRuns: 500 });
});
