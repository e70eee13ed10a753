/**
 * Hostile messages to the tool endpoint, and hostile documents and variables to the GraphQL endpoint: errors with a code, or one sentence
 * of advice; never a failure inside.
 */
import { expect, it } from "vitest";
import { casesOf } from "../../harness/hostile/cases.ts";
import { createStatusJudge } from "../../harness/hostile/described.ts";
import { judgeAnswer } from "../../harness/hostile/judge.ts";
import { judgeGraphql } from "../../harness/hostile/judge-graphql.ts";
import { judgeMcp } from "../../harness/hostile/judge-mcp.ts";
import { runHostile } from "../../harness/hostile/run.ts";
import { describeWorlds } from "../../harness/hostile/world.ts";

const CASES_OF_A_ROUTE = 400;

describeWorlds(async (world, isEmpty) => {
  const judgeStatus = createStatusJudge(JSON.parse((await world.ask("/openapi.json")).text));

  it.each(world.routes.filter(({ face }) => face === "mcp" || face === "graphql"))("$path", async (route) => {
    await runHostile({
      cases: casesOf(route, world.cursors),
      most: CASES_OF_A_ROUTE,
      judge: async (one) => {
        const answer = await world.send(one);
        judgeAnswer(answer, { isEmpty, method: one.method });
        judgeStatus(one, answer);
        if (route.face === "mcp") judgeMcp(answer, one);
        else judgeGraphql(answer);
        expect(world.failures()).toEqual([]);
      },
    });
  });
});
