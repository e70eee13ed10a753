import { expect, it } from "vitest";
import { costFacts } from "./plans.ts";

const MONTH = 30;

it("prices a month of polling at each provider, by the published weight of each call", () => {
  const facts = costFacts({ blocks: 100_000, logs: 1_000, notices: 0 });
  expect(facts).toEqual([
    { about: "calls a day", values: { total: 101_000, blocks: 100_000, logs: 1_000, notices: 0 } },
    {
      about: "Alchemy, a month",
      // $0.45 for each of 61.8 million.
      values: { "compute units": MONTH * (100_000 * 20 + 1_000 * 60), dollars: 28 },
    },
    { about: "Ankr, a month", values: { "API credits": MONTH * 101_000 * 200, dollars: 61 } },
    {
      about: "Moralis, a month",
      values: { "compute units": MONTH * (100_000 * 3 + 1_000 * 12), plan: "Starter" },
    },
    { about: "QuickNode, a month", values: { "API credits": MONTH * 101_000 * 20 } },
  ]);
});

it("leaves out who does not say what a notice costs", () => {
  const facts = costFacts({ blocks: 3_000, logs: 0, notices: 192_000 });
  expect(facts.map(({ about }) => about)).toEqual([
    ...["calls a day", "Alchemy, a month", "Ankr, a month", "QuickNode, a month"],
  ]);
});

it("says so where no published plan is large enough", () => {
  const planFor = (blocks: number) =>
    costFacts({ blocks, logs: 0, notices: 0 }).find(({ about }) => about.startsWith("Moralis"))?.values.plan;
  expect([planFor(200_000), planFor(2_000_000), planFor(4_000_000)]).toEqual([
    ...["Pro", "Business", "larger than the published ones"],
  ]);
});
