import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "vitest";
import { type Served, serve as startServer } from "../test/harness/serve.ts";
import { blockRequest, quantity, RpcError } from "./call.ts";
import { createChainClient, EndpointsSilentError } from "./client.ts";

type Call = { id: number; method: string; params: unknown[] };
type Behave = (calls: Call[], response: ServerResponse, isBatch: boolean) => unknown;

const servers: Served[] = [];

/** An endpoint that answers each call with its first parameter, unless it behaves otherwise. */
async function serve(behave: Behave = () => undefined): Promise<{ url: string; calls: Call[][] }> {
  const calls: Call[][] = [];
  const server = await startServer(async (request, response) => {
    const parsed: Call | Call[] = JSON.parse(await text(request));
    const asked = [parsed].flat();
    calls.push(asked);
    const own = await behave(asked, response, Array.isArray(parsed));
    if (response.writableEnded || response.destroyed) return;
    const answers = asked.map(answerTo);
    // Out of order, as the specification allows.
    response.end(JSON.stringify(own ?? (Array.isArray(parsed) ? answers.reverse() : answers[0])));
  });
  servers.push(server);
  return { url: `${server.url}/v2/secretkey`, calls };
}

const answered = (id: number, result: unknown) => ({ jsonrpc: "2.0", id, result });
const answerTo = ({ id, params }: Call) => answered(id, params[0]);
const error = (message: string, code = -32000) => ({ jsonrpc: "2.0", id: 0, error: { code, message } });
const blocks = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ method: "eth_getBlockByNumber", params: [index] }));
const LOGS = { method: "eth_getLogs", params: [7] };

afterAll(async () => {
  for (const { stop } of servers) await stop();
});

describe.concurrent("createChainClient", () => {
  it("asks in batches, and gives the answers in the order of the questions", async () => {
    const { url, calls } = await serve();
    const client = createChainClient({ urls: [url], concurrency: 2 });
    expect(await client.requestAll(blocks(120))).toEqual(blocks(120).map(({ params }) => params[0]));
    expect(calls.map(({ length }) => length)).toEqual([50, 50, 20]);
    expect(await client.request(LOGS)).toBe(7);
  });

  it("asks one by one where batches are refused", async () => {
    const { url } = await serve((_, response, isBatch) =>
      isBatch
        ? response.writeHead(400).end(JSON.stringify(error("batch requests are not supported")))
        : undefined,
    );
    const client = createChainClient({ urls: [url], concurrency: 4 });
    expect(await client.requestAll(blocks(5))).toEqual([0, 1, 2, 3, 4]);
    const before = client.count();
    expect(await client.requestAll(blocks(3))).toEqual([0, 1, 2]);
    expect(client.count() - before).toBe(3);
  });

  const PRUNED = error("pruned history unavailable", 4444);
  const logsOf = (from: number, to: number) => ({ from, to, address: `0x${"a1".repeat(20)}` });
  const isBelow = (calls: Call[], block: number) =>
    calls.some(({ params: [first] }) => Number((first as { fromBlock?: string }).fromBlock ?? first) < block);

  it("asks the other endpoint for blocks that one has pruned, and the first still for newer ones", async () => {
    const pruned = await serve((calls) => (isBelow(calls, 100) ? PRUNED : undefined));
    const whole = await serve();
    const client = createChainClient({ urls: [pruned.url, whole.url], concurrency: 20 });
    const ask = (block: number) => client.request(blockRequest(block));
    for (let block = 0; block < 20; block++) expect(await ask(block)).toBe(quantity(block));
    await Promise.all(Array.from({ length: 20 }, (_, n) => ask(200 + n)));
    // Tried with blocks 0, 2, 5, 10 and 19 at most.
    expect(pruned.calls.filter((calls) => isBelow(calls, 100)).length).toBeLessThanOrEqual(5);
    expect(pruned.calls.some((calls) => !isBelow(calls, 100))).toBe(true);
  });

  it("says so at once where every endpoint has pruned the logs, and names them where these are needed", async () => {
    const urls = await Promise.all([1, 2].map(async () => (await serve(() => PRUNED)).url));
    const named = new Set<string>();
    const client = createChainClient({ urls, concurrency: 2, onPruned: (host) => named.add(host) });
    const refused = expect.objectContaining({ kind: "pruned", remedy: expect.stringContaining("LEDGER") });
    await expect(client.requestOptional([blockRequest(9)])).rejects.toEqual(refused);
    expect(named.size).toBe(0);
    await expect(client.requestLogs(logsOf(1, 9))).rejects.toEqual(refused);
    expect([...named].sort()).toEqual(urls.map((url) => new URL(url).host).sort());
  });

  it("asks another endpoint for logs of a single block that one refuses, and says so once all have", async () => {
    const refusing = () =>
      serve((calls) =>
        calls.map(({ id, method, params: [first] }) =>
          method === "eth_getLogs" ? { ...error("method not allowed"), id } : answered(id, first),
        ),
      );
    const [one, other, sound] = [await refusing(), await refusing(), await serve()];
    const client = createChainClient({ urls: [one.url, sound.url], concurrency: 1 });
    for (let block = 1; block < 20; block++)
      expect(await client.requestLogs(logsOf(block, block))).toMatchObject({ fromBlock: quantity(block) });
    expect(one.calls.length).toBeGreaterThan(0);
    // From then on it is not asked for ranges either.
    const known = one.calls.length;
    for (let block = 1; block < 20; block++)
      expect(await client.requestLogs(logsOf(block, block + 9))).toMatchObject({
        fromBlock: quantity(block),
      });
    expect(one.calls.length).toBe(known);
    // A range may be too long for one of them.
    const both = createChainClient({ urls: [one.url, other.url], concurrency: 1 });
    const before = one.calls.length + other.calls.length;
    await expect(both.requestLogs(logsOf(1, 2))).rejects.toThrow("method not allowed");
    expect(one.calls.length + other.calls.length).toBe(before + 1);
    await expect(both.requestLogs(logsOf(1, 1))).rejects.toThrow("method not allowed");
    expect(one.calls.length + other.calls.length).toBe(before + 3);
  });

  it("takes a result that is not usable for a refusal: the other endpoint is asked, and once both gave one it says so", async () => {
    const gives = ([call]: Call[]) => answered(call?.id ?? 0, "wrong");
    const wrong = await serve(gives);
    const right = await serve();
    const isUsable = (result: unknown) => result !== "wrong";
    const client = createChainClient({ urls: [wrong.url, right.url], concurrency: 2 });
    for (let block = 0; block < 5; block++)
      expect(await client.requestOptional([blockRequest(block)], undefined, isUsable)).toEqual([
        quantity(block),
      ]);
    expect(wrong.calls.length).toBeGreaterThan(0);
    const both = createChainClient({ urls: [wrong.url, (await serve(gives)).url], concurrency: 2 });
    await expect(both.requestOptional([blockRequest(9)], undefined, isUsable)).rejects.toThrow(
      "no usable result of eth_getBlockByNumber",
    );
  });

  const BATCH_LIMIT = 3;
  const tooMany = (code: number, message: string) => ({ code, message });
  const DRPC = tooMany(31, "Batch of more than 3 requests are not allowed on free tier");
  const inErrors = (calls: Call[], of: object) => calls.map(({ id }) => ({ jsonrpc: "2.0", id, error: of }));
  const inOneError = (of: object) => JSON.stringify({ jsonrpc: "2.0", id: null, error: of });
  const REFUSED_BATCHES: Record<string, (response: ServerResponse, calls: Call[]) => unknown> = {
    "HTTP 500 with one error": (response) => response.writeHead(500).end(JSON.stringify({ error: DRPC })),
    "HTTP 500 with an array of one": (response) => response.writeHead(500).end(`[${inOneError(DRPC)}]`),
    "HTTP 500 with an error for each": (response, calls) =>
      response.writeHead(500).end(JSON.stringify(inErrors(calls, DRPC))),
    "HTTP 200 with one error": (response) => response.end(inOneError(DRPC)),
    "HTTP 200 with an error for each": (response, calls) =>
      response.end(JSON.stringify(inErrors(calls, DRPC))),
    "HTTP 200 with an array of one without an id": (response) =>
      response.end(`[${inOneError(tooMany(-32600, "batch too large"))}]`),
    "HTTP 200 with an unknown reason": (response) =>
      response.end(inOneError(tooMany(-32000, "this request is not for you"))),
    "HTTP 413 with a page": (response) =>
      response.writeHead(413).end("<html><h1>413 Request Entity Too Large</h1></html>"),
    "HTTP 400 with a text": (response) => response.writeHead(400).end("Bad Request"),
    "HTTP 200 with nothing": (response) => response.end(),
    "a connection that ends": (response) => response.destroy(),
    "the answers to the first ones alone": (response, calls) =>
      response.end(JSON.stringify(calls.slice(0, BATCH_LIMIT).map(answerTo))),
  };

  it.concurrent.each(Object.keys(REFUSED_BATCHES))(
    "sends smaller batches where one is refused by %s",
    async (form) => {
      const { url, calls } = await serve((asked, response) =>
        asked.length > BATCH_LIMIT ? REFUSED_BATCHES[form]?.(response, asked) : undefined,
      );
      const client = createChainClient({ urls: [url], concurrency: 4, patience: 25_000 });
      expect(await client.requestAll(blocks(120))).toEqual(blocks(120).map(({ params }) => params[0]));
      expect(calls.length).toBeLessThan(100);
      expect(calls.filter(({ length }) => length > 1 && length <= BATCH_LIMIT).length).toBeGreaterThan(20);
    },
  );

  it("sends smaller batches where a rate limit counts the requests of a batch", async () => {
    const { url } = await serve((asked) =>
      asked.length > BATCH_LIMIT ? inErrors(asked, tooMany(-32005, "exceeded RPS limit")) : undefined,
    );
    const client = createChainClient({ urls: [url], concurrency: 4 });
    expect(await client.requestAll(blocks(6))).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("sends large batches again after an endpoint was down", async () => {
    let isDown = true;
    const { url, calls } = await serve((_, response) =>
      isDown ? response.writeHead(502).end("<html>") : undefined,
    );
    const client = createChainClient({ urls: [url], concurrency: 4 });
    const asked = client.requestAll(blocks(50));
    while (calls.length < 8) await new Promise((resolve) => setTimeout(resolve, 20));
    isDown = false;
    await asked;
    while (calls.at(-1)?.length !== 50 && calls.length < 1_000) await client.requestAll(blocks(50));
    expect(calls.length).toBeLessThan(600);
  });

  it("names what an endpoint that answers gives as its reason, when it gives up", async () => {
    const { url } = await serve(() => error("daily request limit reached"));
    const client = createChainClient({ urls: [url], concurrency: 4, patience: 200 });
    await expect(client.requestAll(blocks(2))).rejects.toThrow(
      /^127\.0\.0\.1:\d+ has given no result of eth_getBlockByNumber for 0 s: it .*"daily request limit reached"/,
    );
  });

  it("does not take a rate limit for a refusal of logs, whatever its status and words", async () => {
    const words = ["daily request limit reached", "exceeded RPS limit", "project ID request rate exceeded"];
    const { url, calls } = await serve((_, response) => {
      const next = words.shift();
      return next && response.writeHead(words.length === 0 ? 403 : 200).end(JSON.stringify(error(next)));
    });
    expect(await createChainClient({ urls: [url], concurrency: 4 }).request(LOGS)).toBe(7);
    expect(calls).toHaveLength(4);
  });

  it("waits as long as an endpoint says that limits its rate", async () => {
    let count = 0;
    const { url } = await serve((_, response) => {
      count += 1;
      if (count === 1) response.writeHead(429, { "retry-after": "1" }).end("slow down");
      if (count === 2) return error("compute units per second exceeded");
    });
    const startedAt = performance.now();
    expect(await createChainClient({ urls: [url], concurrency: 4 }).request(LOGS)).toBe(7);
    expect(performance.now() - startedAt).toBeGreaterThan(1_000);
    expect(count).toBe(3);
  });

  it("gives up after a while on an endpoint that asks for hours", async () => {
    const { url } = await serve((_, response) =>
      response.writeHead(429, { "retry-after": "86400" }).end("daily quota reached"),
    );
    const client = createChainClient({ urls: [url], concurrency: 4, patience: 300 });
    await expect(client.request(LOGS)).rejects.toThrow(/has given no result of eth_getLogs for 0 s.*429/);
  });

  it("says at once that logs are refused, without the key", async () => {
    const { url } = await serve(() => error("key secretkey may ask for 100 blocks"));
    const client = createChainClient({ urls: [url], concurrency: 4 });
    const refusal = await client.request(LOGS).catch((thrown: Error) => thrown);
    expect(refusal).toBeInstanceOf(RpcError);
    expect(refusal).not.toBeInstanceOf(EndpointsSilentError);
    expect(String(refusal)).toMatch(/may ask for 100 blocks/);
    expect(String(refusal)).not.toMatch(/secretkey/);
  });

  it("asks another endpoint while one fails", async () => {
    const broken = await serve((_, response) => response.writeHead(502).end("<html>"));
    const sound = await serve();
    const client = createChainClient({ urls: [broken.url, sound.url], concurrency: 4 });
    expect(await Promise.all(blocks(40).map(client.request))).toHaveLength(40);
    expect(sound.calls.length).toBeGreaterThanOrEqual(40);
    expect(broken.calls.length).toBeLessThan(10);
  });

  it.each([true, false])(
    "asks one that has the blocks for their logs, with batches: %s",
    async (takesBatches) => {
      const behaving =
        (block: unknown): Behave =>
        (calls, response, isBatch) => {
          if (isBatch && !takesBatches)
            return response.writeHead(400).end(JSON.stringify(error("no batches")));
          const answers = calls.map(({ id, method }) =>
            answered(id, method === "eth_getLogs" ? [block] : block),
          );
          return isBatch ? answers : answers[0];
        };
      const [behind, sound] = [await serve(behaving(null)), await serve(behaving({ number: "0x9" }))];
      const client = createChainClient({ urls: [behind.url, sound.url], concurrency: 4 });
      const asked = Array.from({ length: 20 }, () => client.requestLogs({ from: 1, to: 9 }));
      expect(await Promise.all(asked)).toEqual(asked.map(() => [{ number: "0x9" }]));
      expect(behind.calls.length).toBeGreaterThan(0);
    },
  );

  it("asks the quicker of two endpoints more often", async () => {
    const slow = await serve(() => new Promise((resolve) => setTimeout(resolve, 100)));
    const quick = await serve();
    const client = createChainClient({ urls: [slow.url, quick.url], concurrency: 4 });
    for (let round = 0; round < 20; round += 1) await Promise.all(blocks(4).map(client.request));
    expect(quick.calls.length).toBeGreaterThan(2 * slow.calls.length);
  });

  it("asks again for what is refused for the moment, and for the rest of a batch", async () => {
    let count = 0;
    const { url } = await serve((calls) => {
      count += 1;
      if (count === 1) return [error("header not found")];
      if (count === 2) return calls.slice(1).map(({ id }) => answered(id, "part"));
    });
    expect(await createChainClient({ urls: [url], concurrency: 1 }).requestAll(blocks(3))).toEqual([0, 1, 2]);
  });

  it("never has more requests under way than allowed", async () => {
    let [now, most] = [0, 0];
    const { url } = await serve(async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      now -= 1;
    });
    const client = createChainClient({ urls: [url], concurrency: 3 });
    await Promise.all(blocks(60).map(client.request));
    expect(most).toBe(3);
  });

  it("gives up after a while, naming the host alone", async () => {
    const { url } = await serve((_, response) => void response.destroy());
    const client = createChainClient({ urls: [url], concurrency: 4, patience: 500 });
    const silence = await client.request(LOGS).catch((thrown: Error) => thrown);
    expect(silence).toBeInstanceOf(EndpointsSilentError);
    expect(String(silence)).not.toMatch(/secretkey/);
  });

  it("takes an answer that does not come in time for a refusal of logs", async () => {
    const { url } = await serve(() => new Promise(() => {}));
    const client = createChainClient({ urls: [url], concurrency: 4, timeout: 200 });
    await expect(client.request(LOGS)).rejects.toMatchObject({ kind: "timeout" });
  });
});
