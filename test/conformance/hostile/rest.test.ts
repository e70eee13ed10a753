/**
 * Hostile requests to every route of the REST face, with a market and before there is one: the documented answer or
 * the documented error.
 */
import { expect, it } from "vitest";
import { casesOf } from "../../harness/hostile/cases.ts";
import { judgeAnswer } from "../../harness/hostile/judge.ts";
import { runHostile } from "../../harness/hostile/run.ts";
import { describeWorlds } from "../../harness/hostile/world.ts";
import { validatorOf } from "../../harness/validate.ts";

const CASES_OF_A_ROUTE = 60;

describeWorlds(async (world, isEmpty) => {
  const assertAnswer = await validatorOf(world.ask);

  it.each(world.routes.filter(({ face }) => face === "rest"))("$path", async (route) => {
    await runHostile({
      cases: casesOf(route, world.cursors),
      most: CASES_OF_A_ROUTE,
      judge: async (one) => {
        const answer = await world.send(one);
        judgeAnswer(answer, { isEmpty, method: one.method });
        expect(world.failures()).toEqual([]);
        // The path as the server sees it: `..` is gone, and may have led out of this face.
        const { pathname } = new URL(`http://raises.example${one.path}`);
        const isOfFace = pathname.startsWith("/v1/") || answer.status >= 400;
        if (isOfFace && (answer.text !== "" || answer.status === 304)) assertAnswer(pathname, answer);
      },
    });
  });
});
