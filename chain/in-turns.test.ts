import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { inTurns } from "./in-turns.ts";

it("works on so many at a time, and keeps their order", async () => {
  let [under, most] = [0, 0];
  const results = await inTurns([5, 1, 3, 2, 4], 2, async (turns) => {
    most = Math.max(most, ++under);
    for (let index = 0; index < turns; index++) await turn();
    under -= 1;
    return 10 * turns;
  });
  expect(results).toEqual([50, 10, 30, 20, 40]);
  expect(most).toBe(2);
});

it("rejects with the first failure", async () => {
  const fails = inTurns([1, 2, 3], 2, async (one) => {
    if (one === 2) throw new Error("two");
  });
  await expect(fails).rejects.toThrow("two");
});
