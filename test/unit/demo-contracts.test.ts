/** The plans of the worked examples, for many seeds. That their contracts take every step is what the integration test shows. */
import { describe, expect, it } from "vitest";
import { outlineOf } from "../../demo/contracts/example.ts";
import { EXAMPLES } from "../../demo/contracts/examples.ts";
import { planMarket } from "../../demo/market/plan.ts";
import { businessInDefault } from "../../demo/welcome.ts";

const END = 1_790_000_000;
const SEEDS = Array.from({ length: 25 }, (_, index) => index * 7_919);
const planOf = (name: keyof typeof EXAMPLES, seed: number) =>
  planMarket({ seed, end: END, outline: outlineOf(EXAMPLES[name]) });

it("pairs the tranches of the pooled loans, the senior one first, whatever the seed", () => {
  for (const seed of SEEDS) {
    const { raises } = planOf("pooled-loans", seed);
    expect(raises.map(({ refnum }) => refnum)).toEqual(
      [1, 2, 3, 4, 5, 6].flatMap((pool) => [`SR0000${pool}`, `JR0000${pool}`]),
    );
    for (const { refnum, story } of raises)
      expect(story.publicId).toMatch(refnum.startsWith("SR") ? /_senior$/ : /_junior$/);
  }
});

it("has a business with a raise in default where the demo's message names one", () => {
  expect(businessInDefault(planMarket({ seed: 1, end: END }))).toBe("org_nordhavn_freight");
  expect(businessInDefault(planOf("pooled-loans", 1))).toBe("org_nordhavn_freight");
  expect(businessInDefault(planOf("raise-escrows", 1))).toBeUndefined();
});

describe.each(Object.keys(EXAMPLES) as (keyof typeof EXAMPLES)[])("the plan of %s", (name) => {
  it("is the same for the same seed, and another for another", () => {
    expect(planOf(name, 1)).toEqual(planOf(name, 1));
    expect(planOf(name, 2).steps).not.toEqual(planOf(name, 1).steps);
  });

  it.each(SEEDS)("asks for nothing that its contracts do not have (seed %i)", (seed) => {
    const { steps, raises } = planOf(name, seed);
    const kinds = new Set(steps.map(({ action }) => action.kind));
    for (const kind of [
      "deployEscrow",
      "postReserve",
      "applyReserve",
      "createOffer",
      "settle",
      "updateTerms",
    ])
      expect(kinds).not.toContain(kind);
    expect(raises.every(({ terms }) => terms.pricingMode === "fixed" && terms.closeAt !== null)).toBe(true);
    expect(new Set(raises.map(({ story }) => story.business)).size).toBeGreaterThanOrEqual(4);
  });
});
