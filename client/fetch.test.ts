import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { serve } from "../test/harness/serve.ts";
import { createRaisebookClient, follow } from "./index.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Milliseconds between signs of life. */
const BEAT = 20;
const HEAD = 'event: head\nid: 0\ndata: {"blockNumber":"7","blockTime":"2026-01-01T00:00:00Z"}\n\n';

it("an abort ends a stream, whatever garbage has been collected", async () => {
  const answers: ServerResponse[] = [];
  await using served = await serve((_request, response) => {
    answers.push(response.writeHead(200, { "Content-Type": "text/event-stream" }));
    response.write(HEAD);
    const beat = setInterval(() => response.write(":\n\n"), BEAT);
    response.on("close", () => clearInterval(beat));
  });
  const baseUrl = `${served.url}/v1`;

  const leaving = new AbortController();
  const taken: string[] = [];
  const following = (async () => {
    for await (const { type } of follow({ baseUrl, signal: leaving.signal })) taken.push(type);
  })();
  await expect.poll(() => taken).toEqual(["head"]);
  for (let round = 0; round < 5; round++) {
    await sleep(BEAT);
    collectGarbage();
  }
  expect(answers.map(({ destroyed }) => destroyed)).toEqual([false]);
  leaving.abort();
  await following;
  await expect.poll(() => answers.map(({ destroyed }) => destroyed)).toEqual([true]);
});

type Silent = { baseUrl: string; signal: AbortSignal; fetch: (request: Request) => Promise<Response> };

it.each<[string, (options: Silent) => Promise<unknown>]>([
  ["follow", (options) => follow(options).next()],
  [
    "a client",
    ({ signal, ...options }) =>
      createRaisebookClient(options)
        .raw.GET("/listings", { signal })
        .catch(() => {}),
  ],
])(
  "an abort ends a request of %s that is never answered, whatever garbage has been collected",
  async (_, ask) => {
    const leaving = new AbortController();
    let asked = 0;
    const fetch = ({ signal }: Request) => {
      asked += 1;
      return new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    };
    let isOver = false;
    const { signal } = leaving;
    void ask({ baseUrl: "http://127.0.0.1/v1", signal, fetch }).then(() => {
      isOver = true;
    });
    await expect.poll(() => asked).toBe(1);
    for (let round = 0; round < 5; round++) {
      await sleep(BEAT);
      collectGarbage();
    }
    leaving.abort();
    await expect.poll(() => isOver).toBe(true);
  },
);
