import { describe, expect, it } from "vitest";
import { counted } from "../../config/format/counted.ts";
import { listingSchema, originatorSchema } from "../market/schema.ts";
import { count, exactOf, kyb, NONE, outcome, pricing, textOf, word } from "./value.ts";

describe("a number of things", () => {
  it.each([
    [0, "0 days"],
    [1, "1 day"],
    [2, "2 days"],
    [65_535, "65,535 days"],
  ])("%i is said as %j", (number, said) => {
    expect(counted(number, "days")).toBe(said);
    expect(textOf(count(number, "days"))).toBe(said);
    expect(exactOf(count(number, "days"))).toBe(`${number}`);
  });

  it("has no unit where the label says it", () => {
    expect(textOf(count(1_000))).toBe("1,000");
  });
});

describe("a word of the other faces", () => {
  const outcomes = listingSchema.shape.outcome.unwrap().options;
  const values = [
    ...listingSchema.shape.pricingMode.options.map((mode) => [mode, pricing(mode)] as const),
    ...outcomes.map((ended) => [ended, outcome(ended)] as const),
    ...originatorSchema.shape.kybStatus.options.map((status) => [status, kyb(status)] as const),
    ["ok", word("In order", "ok")] as const,
  ];

  it.each(values)("is kept exactly and said for people: %s", (exact, value) => {
    expect(exactOf(value)).toBe(exact);
    expect(textOf(value)).toMatch(/^[A-Z][a-z ]+$/);
  });

  it("is missing before a raise is settled", () => {
    expect(outcome(null)).toBe(NONE);
  });
});
