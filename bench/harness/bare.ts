/** @module The reference of the reads, in a separate process: a `node:http` server that sends captured answers and does nothing else. */
import type { Answer } from "./capture.ts";
import { serve } from "./serve.ts";
import { answerOwner } from "./worker.ts";

answerOwner(async (answers: readonly Answer[]) => {
  const byUrl = new Map(answers.map((answer) => [answer.url, answer]));
  return serve((request, response) => {
    const answer = byUrl.get(request.url ?? "");
    if (answer === undefined) throw new Error(`nothing was captured of ${request.url}`);
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
  });
});
