/**
 * Hostile requests to what is served as documents (discovery files, the knowledge base, the description), and to
 * paths that are not there.
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
  unknownPath,
} from "../../harness/hostile/request.ts";
import { runHostile } from "../../harness/hostile/run.ts";
import { createWorld } from "../../harness/hostile/world.ts";

const RUNS_OF_A_ROUTE = 30;
const RUNS_OF_NO_ROUTE = 300;
const STATUSES = [200, 204, 304, 308, 400, 403, 404, 405, 406, 414];

describe.each([
  ["with a market", false],
  ["before anything is indexed", true],
])("%s", async (_when, isEmpty) => {
  const world = await createWorld({ isEmpty });
  const before = await world.state();
  afterAll(async () => expect(await world.state()).toBe(before));

  const routes = world.routes.filter(({ face }) => face === "documents").map(({ path }) => path);

  const hold = (route: string, paths: fc.Arbitrary<string>, most: number) =>
    runHostile({
      cases: fc
        .tuple(paths, hostileQuery(world.cursors), hostileMethod, hostileHeaders)
        .filter(([path]) => URL.canParse(`http://raises.example${path}`))
        .map(
          ([path, query, method, headers]): HostileCase => ({
            route,
            path: `${path}${query}`,
            method,
            headers,
          }),
        ),
      most,
      judge: async (one) => {
        const answer = await world.send(one);
        judgeAnswer(answer, { isEmpty, method: one.method });
        expect(world.failures()).toEqual([]);
        if (answer.status !== 503) expect(STATUSES).toContain(answer.status);
      },
    });

  it.each(routes)("%s", (route) => hold(route, pathOf(route), RUNS_OF_A_ROUTE));

  it("paths that are not there", () => hold("*", unknownPath, RUNS_OF_NO_ROUTE));
});
