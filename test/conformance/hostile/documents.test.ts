/**
 * Hostile requests to what is served as documents (pages, discovery files, the knowledge base, the description), and to
 * paths that are not there.
 */
import type fc from "fast-check";
import { expect, it } from "vitest";
import { casesOf, casesOfNoRoute } from "../../harness/hostile/cases.ts";
import { createStatusJudge } from "../../harness/hostile/described.ts";
import { judgeAnswer } from "../../harness/hostile/judge.ts";
import type { HostileCase } from "../../harness/hostile/request.ts";
import { runHostile } from "../../harness/hostile/run.ts";
import { describeWorlds } from "../../harness/hostile/world.ts";

const CASES_OF_A_ROUTE = 30;
const CASES_OF_NO_ROUTE = 300;
const STATUSES = [200, 204, 302, 304, 308, 400, 403, 404, 405, 406, 413, 414, 415];

describeWorlds(async (world, isEmpty) => {
  const judgeStatus = createStatusJudge(JSON.parse((await world.ask("/openapi.json")).text));

  const hold = (cases: fc.Arbitrary<HostileCase>, most: number) =>
    runHostile({
      cases,
      most,
      judge: async (one) => {
        const answer = await world.send(one);
        judgeAnswer(answer, { isEmpty, method: one.method });
        judgeStatus(one, answer);
        expect(world.failures()).toEqual([]);
        if (answer.status !== 503) expect(STATUSES).toContain(answer.status);
      },
    });

  it.each(world.routes.filter(({ face }) => face === "documents"))("$path", (route) =>
    hold(casesOf(route, world.cursors), CASES_OF_A_ROUTE),
  );

  it("paths that are not there", () => hold(casesOfNoRoute(world.cursors), CASES_OF_NO_ROUTE));
});
