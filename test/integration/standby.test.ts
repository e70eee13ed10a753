/** Two machines over one database: the second goes on when the first is gone, and the first does not disturb it when it is back. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTwoMachines, type TwoMachines, type Way } from "../harness/two-machines.ts";

let two: TwoMachines;

beforeAll(async () => {
  two = await startTwoMachines();
});
afterAll(() => two?.stop());

const WAYS: Way[] = ["killed", "frozen", "partitioned"];

it.each([...WAYS, ...WAYS])(
  "goes on when the indexing machine is %s, and takes it back as the standby",
  { timeout: 300_000 },
  async (way) => {
    const gone = await two.indexing();
    const other = gone === two.first ? two.second : two.first;
    await two.hurt(gone, way);
    const at = performance.now();
    await two.untilRaised(other, await two.raise());
    console.log(way, gone.name, Math.round(performance.now() - at));
    await two.raise();
    await two.heal(gone, way);
    await two.untilRaised(other, await two.raise());
    await two.untilRaised(gone, two.raised());
    await sleep(1_000);
    expect(await two.wrongRows()).toEqual([]);
    expect(await two.indexing()).toBe(other);
  },
);
