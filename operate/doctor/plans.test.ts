import { expect, it } from "vitest";
import { costFacts } from "./endpoints.ts";

it("weighs a day of polling at each provider, by the published weight of each call", () => {
  const facts = costFacts({ blocks: 100_000, logs: 1_000, receipts: 0, notices: 0 });
  const counts = { blocks: 100_000, logs: 1_000, receipts: 0, notices: 0 };
  expect(facts).toEqual([
    { about: "calls a day", values: { total: 101_000, ...counts } },
    { about: "Alchemy, a day", values: { "compute units": 100_000 * 20 + 1_000 * 60 } },
    { about: "Ankr, a day", values: { "API credits": 101_000 * 200 } },
    { about: "Moralis, a day", values: { "compute units": 100_000 * 3 + 1_000 * 12 } },
    { about: "QuickNode, a day", values: { "API credits": 101_000 * 20 } },
  ]);
});

it("leaves out a provider where the weight of a notice, or of receipts, is not known", () => {
  const facts = costFacts({ blocks: 3_000, logs: 0, receipts: 0, notices: 192_000 });
  expect(facts.map(({ about }) => about)).toEqual([
    ...["calls a day", "Alchemy, a day", "Ankr, a day", "QuickNode, a day"],
  ]);
  const proven = costFacts({ blocks: 3_000, logs: 0, receipts: 100, notices: 0 });
  expect(proven.slice(1)).toEqual([
    { about: "Ankr, a day", values: { "API credits": 3_100 * 200 } },
    { about: "Moralis, a day", values: { "compute units": 3_100 * 3 } },
    { about: "QuickNode, a day", values: { "API credits": 3_100 * 20 } },
  ]);
  expect(proven[0]?.values.total).toBe(3_100);
});
