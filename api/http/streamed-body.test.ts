import { get } from "node:http";
import { Hono } from "hono";
import { expect, it } from "vitest";
import { serveApp } from "../../test/harness/serve-app.ts";
import { NoSlotError } from "./slots.ts";
import { createStreams } from "./streamed-body.ts";

/** More than the buffers of a connection hold. */
async function* endless() {
  const piece = Buffer.alloc(256 * 1024);
  for (;;) yield piece;
}

/** Asks, and reads no more than the headers. */
function asked(port: number) {
  const request = get({ port, host: "127.0.0.1", path: "/" });
  request.on("error", () => {});
  return new Promise<number>((resolve) =>
    request.once("response", (response) => resolve(response.pause().statusCode ?? 0)),
  );
}

it.each([
  ["has been read too slowly for long enough", { readTimeout: 0, slowestPace: 1e12 }, [200, 200, 200], true],
  ["has been read too slowly for a moment", { readTimeout: 1e9, slowestPace: 1e12 }, [200, 200, 429], false],
  ["is read fast enough", { readTimeout: 0, slowestPace: 1 }, [200, 200, 429], false],
])("gives a client the place of the oldest answer if that %s", async (_, pace, statuses, isOver) => {
  const streams = createStreams(2, pace);
  const app = new Hono();
  app.onError((error, c) => c.text("", error instanceof NoSlotError ? 429 : 500));
  const body = { type: "text/plain", known: null, pieces: endless };
  app.get("/", (c) => streams.answer(c, body, { number: 1n, timestamp: 1n }));
  await using served = await serveApp(app);
  for (const status of statuses) expect(await asked(served.port)).toBe(status);
  expect(streams.size()).toBe(2);
  expect(served.requests.slice(0, 2).map((one) => one.isOver)).toEqual([isOver, false]);
});
