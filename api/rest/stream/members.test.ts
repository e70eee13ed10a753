import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { createFollowers, type Follower } from "./members.ts";

it("wakes all, a few at a time, and none who has left", async () => {
  const members = createFollowers();
  const woken: number[] = [];
  const all = Array.from({ length: 200 }, (_, index): Follower => {
    const member = { ended: false, wake: () => void woken.push(index) };
    members.add(member);
    return member;
  });
  members.wakeAll();
  // Another change before everybody has heard of the first.
  members.wakeAll();
  const [, , , ...rest] = all;
  const last = rest.at(-1);
  if (last !== undefined) members.remove(last);
  let most = woken.length;
  while (new Set(woken).size < 199) {
    const before = woken.length;
    await turn();
    most = Math.max(most, woken.length - before);
  }
  await turn();
  expect(woken).not.toContain(199);
  expect(most).toBeLessThan(20);
});

it("ends all at once", () => {
  const members = createFollowers();
  let woken = 0;
  const all = Array.from({ length: 50 }, (): Follower => ({ ended: false, wake: () => void woken++ }));
  for (const member of all) members.add(member);
  members.endAll();
  expect([woken, members.size(), all.every(({ ended }) => ended)]).toEqual([50, 0, true]);
});
