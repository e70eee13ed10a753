/** One short run of the simulation; `npm run simulate` plays longer ones (docs/simulation.md). */
import { expect, test } from "vitest";
import { NOTABLE } from "../simulation/notable.ts";
import { run } from "../simulation/run.ts";
import { scheduleOf } from "../simulation/schedule.ts";

const short = NOTABLE.filter(({ minutes }) => minutes === 1);

test.each(short)("seed $seed: $why", async ({ seed, minutes }) => {
  const { failure, judged } = await run({ schedule: scheduleOf({ seed, minutes }) });
  expect(failure).toBeNull();
  expect(judged).toBeGreaterThan(50);
});
