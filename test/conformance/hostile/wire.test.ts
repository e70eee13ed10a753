/** Hostile bytes on the wire: an answer or an ended connection, never a hang, and the service goes on. */
import { afterAll, describe, expect, it } from "vitest";
import { judgeAnswer } from "../../harness/hostile/judge.ts";
import { begunPosts, HOSTS, postHead, RAW_REQUESTS, rawGet } from "../../harness/hostile/raw.ts";
import { runHostile } from "../../harness/hostile/run.ts";
import { exchange, open } from "../../harness/hostile/wire.ts";
import { createWorld } from "../../harness/hostile/world.ts";
import { serveApp } from "../../harness/serve-app.ts";
import type { ReadAnswer } from "../../harness/validate.ts";

const GOOD = "GET /v1/listings HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
const MEGABYTE = 1_000_000;
const AT_ONCE = 10;
const TARGETS = 250;

const world = await createWorld({ isEmpty: false });
const served = await serveApp(world.app);
const { port } = served;
// Not before: the server puts its own requests and answers in the place of the language's.
const before = await world.state();
const good = await exchange(port, GOOD);

afterAll(async () => {
  await served[Symbol.asyncDispose]();
  expect(await world.state()).toEqual(before);
});

/** Node's own answers are a bare status; those of the app are judged like any other. */
function judgeWire(answer: ReadAnswer | null, method = "GET"): void {
  expect(world.failures()).toEqual([]);
  if (answer === null) return;
  const { status, headers, text } = answer;
  expect(status).toBeLessThan(500);
  if (headers.has("x-request-id")) judgeAnswer(answer, { isEmpty: false, method });
  else expect(text).toBe("");
}

async function expectService(): Promise<void> {
  const answer = await exchange(port, GOOD);
  expect(answer?.status).toBe(200);
  expect(answer?.text).toBe(good?.text);
}

it.each(RAW_REQUESTS)("%s", async (_what, bytes) => {
  const method = Buffer.from(bytes).toString("latin1").startsWith("HEAD") ? "HEAD" : "GET";
  judgeWire(await exchange(port, bytes), method);
  await expectService();
});

it("no host puts another answer at an address", async () => {
  for (const [index, host] of HOSTS.entries()) {
    // Not kept before.
    const address = `/v1/listings?${"&".repeat(index)}`;
    await exchange(port, `GET ${address} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    const answer = await exchange(port, GOOD.replace("/v1/listings", address));
    expect(answer?.text, host).toBe(good?.text);
  }
});

it("targets of any bytes", async () => {
  await runHostile({
    cases: rawGet,
    most: TARGETS,
    judge: async (bytes) => judgeWire(await exchange(port, bytes)),
  });
});

describe.each(world.routes.filter(({ path }) => !/[:*]/.test(path)))("a body at $path", ({ path }) => {
  it("is refused at a megabyte", async () => {
    const body = Buffer.alloc(MEGABYTE, "[");
    const answer = await exchange(port, Buffer.concat([Buffer.from(postHead(path, MEGABYTE)), body]));
    judgeWire(answer);
    if (answer !== null) expect([404, 405, 413]).toContain(answer.status);
  });

  it("is refused if it never ends, many times at once", async () => {
    const begun = Array.from({ length: AT_ONCE }, () => begunPosts(path)).flat();
    const waiting = await Promise.all(begun.map((bytes) => open(port, bytes)));
    await expectService();
    for (const socket of waiting) socket.destroy();
    await expectService();
    expect(world.failures()).toEqual([]);
  });
});

it("clients that hang up at once", async () => {
  for (let round = 0; round < 50; round++) (await open(port, GOOD)).destroy();
  await expectService();
  expect(world.failures()).toEqual([]);
});
