import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excerptOf, LONGEST_EXCERPT, marksIn } from "./excerpt.ts";
import { termsOf } from "./terms.ts";

const filler = (sentences: number) =>
  Array.from({ length: sentences }, (_, index) => `Sentence ${index} is about nothing.`).join(" ");

describe("marksIn", () => {
  it("has the words that were looked for, in any of their forms, in order", () => {
    const text = "Paid late? The reserve pays; a payment is no reserve-ation.";
    const marked = marksIn(text, new Set(termsOf("pay reserve"))).map(([start, end]) =>
      text.slice(start, end),
    );
    expect(marked).toEqual(["Paid", "reserve", "pays", "payment", "reserve"]);
    expect(marksIn(text, new Set())).toEqual([]);
    expect(marksIn("", new Set(["pay"]))).toEqual([]);
  });
});

describe("excerptOf", () => {
  it("is the whole text when that is short, on one line", () => {
    expect(excerptOf("One line.\nA row, of cells\nThe last", new Set())).toBe(
      "One line. A row, of cells; The last",
    );
    expect(excerptOf(" \n ", new Set())).toBe("");
  });

  it("begins with the text when nothing of it is looked for", () => {
    expect(excerptOf(filler(20), new Set())).toMatch(/^Sentence 0 is .* …$/);
  });

  it("has the most of what is looked for, and begins with a sentence where it can", () => {
    const text = `${filler(10)} A coupon alone. ${filler(10)} The coupon is paid at maturity. ${filler(10)}`;
    const excerpt = excerptOf(text, new Set(termsOf("coupon maturity")));
    expect(excerpt).toContain("The coupon is paid at maturity.");
    expect(excerpt).toMatch(/^… (?:Sentence|The coupon) .* …$/);
  });

  it("is never longer than 240 characters, nor cut within a word or a character, whatever the text", () => {
    const text = fc.oneof(
      fc.lorem({ maxCount: 120 }),
      fc.string({ unit: "grapheme", maxLength: 900 }),
      fc.constantFrom("x".repeat(5000), "🏗".repeat(4000), "a\n".repeat(2000), `b ${"🏗".repeat(400)} end`),
    );
    fc.assert(
      fc.property(text, fc.array(fc.lorem({ maxCount: 1 }), { maxLength: 4 }), (whole, looked) => {
        const excerpt = excerptOf(whole, new Set(looked.flatMap(termsOf)));
        expect(excerpt.length).toBeLessThanOrEqual(LONGEST_EXCERPT);
        expect(excerpt.isWellFormed()).toBe(true);
        expect(excerpt).not.toMatch(/\n/);
        const words = new Set(whole.split(/\s+/));
        const uncut = [...words].every((word) => word.length < LONGEST_EXCERPT / 2);
        if (!uncut) return;
        for (const word of excerpt.split(" "))
          expect(words.has(word.replace(/;$/, "")) || words.has(word) || word === "…" || word === "").toBe(
            true,
          );
      }),
    );
  });
});
