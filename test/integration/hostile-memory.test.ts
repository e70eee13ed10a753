/**
 * Nothing that a hostile request brings is kept: after thousands of them the heap is what it was.
 */
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { casesOf, casesOfNoRoute } from "../harness/hostile/cases.ts";
import type { HostileCase } from "../harness/hostile/request.ts";
import { sampleHostile } from "../harness/hostile/run.ts";
import { createWorld } from "../harness/hostile/world.ts";

const CASES_OF_A_ROUTE = 12;
const REQUESTS = 3_000;
/** Bytes. A quarter of a megabyte is usual; what was sent is many times more than this. */
const MOST_GROWTH = 10_000_000;

it("memory stays flat", async () => {
  const world = await createWorld({ isEmpty: false });
  const cases = [
    ...world.routes.flatMap((route) => sampleHostile(casesOf(route, world.cursors), CASES_OF_A_ROUTE)),
    ...sampleHostile(casesOfNoRoute(world.cursors), CASES_OF_A_ROUTE),
  ];
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const heap = async () => {
    // What waits for a turn of the event loop, or for a finalizer, is not kept either.
    for (let turn = 0; turn < 5; turn++) {
      collect();
      await setImmediate();
    }
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const sendAll = async (requests: number) => {
    // Each with an id of its own: a store by request or by input would grow with every one.
    for (let index = 0; index < requests; index++) {
      const one = cases[index % cases.length];
      if (one === undefined) throw new Error("there are no cases");
      await world.send(withNonce(one, index));
    }
  };

  await sendAll(REQUESTS / 3);
  const before = await heap();
  await sendAll(REQUESTS);
  expect((await heap()) - before).toBeLessThan(MOST_GROWTH);
  expect(world.failures()).toEqual([]);
});

/** The case as nobody has sent it before: with one more parameter, and in a GraphQL document one more comment. */
function withNonce({ path, body, ...one }: HostileCase, nonce: number): HostileCase {
  const marked = typeof body === "string" ? body.replace('"query":"', `"query":"#${nonce}\\n`) : body;
  const glue = path.includes("?") ? "&" : "?";
  return { ...one, path: `${path}${glue}nonce=${nonce}`, ...(marked === undefined ? {} : { body: marked }) };
}
