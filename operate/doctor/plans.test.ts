import { expect, it } from "vitest";
import { costFacts } from "./endpoints.ts";

it("weighs a day of polling at each provider, by the published weight of each call", () => {
  const facts = costFacts({ blocks: 100_000, logs: 1_000, notices: 0 });
  expect(facts).toEqual([
    { about: "calls a day", values: { total: 101_000, blocks: 100_000, logs: 1_000, notices: 0 } },
    { about: "Alchemy, a day", values: { "compute units": 100_000 * 20 + 1_000 * 60 } },
    { about: "Ankr, a day", values: { "API credits": 101_000 * 200 } },
    { about: "Moralis, a day", values: { "compute units": 100_000 * 3 + 1_000 * 12 } },
    { about: "QuickNode, a day", values: { "API credits": 101_000 * 20 } },
  ]);
});

it("leaves out a provider that does not publish the weight of a notice", () => {
  const facts = costFacts({ blocks: 3_000, logs: 0, notices: 192_000 });
  expect(facts.map(({ about }) => about)).toEqual([
    ...["calls a day", "Alchemy, a day", "Ankr, a day", "QuickNode, a day"],
  ]);
});
