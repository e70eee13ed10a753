/**
 * Hostile requests to every route of the REST face, with a market and before there is one: the documented answer or
 * the documented error.
 */
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { judgeAnswer } from "../../harness/hostile/judge.ts";
import {
  type HostileCase,
  hostileHeaders,
  hostileMethod,
  hostileQuery,
  pathOf,
} from "../../harness/hostile/request.ts";
import { runHostile } from "../../harness/hostile/run.ts";
import { createWorld } from "../../harness/hostile/world.ts";
import { createAnswerValidator } from "../../harness/validate.ts";

const RUNS_OF_A_ROUTE = 45;

describe.each([
  ["with a market", false],
  ["before anything is indexed", true],
])("%s", async (_when, isEmpty) => {
  const world = await createWorld({ isEmpty });
  const assertAnswer = createAnswerValidator(JSON.parse((await world.ask("/openapi.json")).text));
  const before = await world.state();
  afterAll(async () => expect(await world.state()).toBe(before));

  const routes = world.routes.filter(({ face }) => face === "rest").map(({ path }) => path);
  it("knows the routes", () => expect(routes.length).toBeGreaterThan(10));

  it.each(routes)("%s", async (route) => {
    const cases: fc.Arbitrary<HostileCase> = fc
      .tuple(pathOf(route), hostileQuery(world.cursors), hostileMethod, hostileHeaders)
      .map(([path, query, method, headers]) => ({ route, path: `${path}${query}`, method, headers }));

    await runHostile({
      cases,
      most: RUNS_OF_A_ROUTE,
      judge: async (one) => {
        const answer = await world.send(one);
        judgeAnswer(answer, { isEmpty, method: one.method });
        expect(world.failures()).toEqual([]);
        // The path as the server sees it: `..` is gone.
        const { pathname } = new URL(one.path, "http://raises.example");
        if (answer.text !== "" || answer.status === 304) assertAnswer(pathname, answer);
      },
    });
  });
});
