import fc from "fast-check";
import { expect, it } from "vitest";
import { withoutCaseAndAccents } from "./letters.ts";

it.each([
  ["Käserei", "kaserei"],
  ["RB00001 lst_A-9", "rb00001 lst_a-9"],
  ["ÇÀ 🥐 ﬁn", "ca 🥐 fin"],
  ["", ""],
])("%s is searched as %s", (text, normal) => {
  expect(withoutCaseAndAccents(text)).toBe(normal);
});

it("is the same however much of a text is ASCII", () => {
  const property = fc.property(fc.string({ unit: "grapheme" }), fc.string(), (any, ascii) => {
    const whole = withoutCaseAndAccents(`${ascii} ${any} é`);
    expect(whole).toBe(`${withoutCaseAndAccents(ascii)} ${withoutCaseAndAccents(any)} e`);
  });
  fc.assert(property);
});
