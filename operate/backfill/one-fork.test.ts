import { RpcRequestError } from "viem";
import { expect, test } from "vitest";
import { followOneFork } from "./one-fork.ts";
import type { PonderApp, PonderRpc } from "./ponder.ts";

const HEAD = { method: "eth_getBlockByNumber", params: ["latest", true] };
const numbered = (number: number) => ({
  method: "eth_getBlockByNumber",
  params: [`0x${number.toString(16)}`, true],
});
const hashed = (hash: string) => ({ method: "eth_getBlockByHash", params: [hash, false] });
const logsOf = (blockHash: string) => ({ method: "eth_getLogs", params: [{ blockHash }] });

const refusal = (message: string, code = -32_000) =>
  new RpcRequestError({ body: {}, error: { message, code }, url: "https://one.example" });

/** An endpoint with a chain of so many blocks, all of one fork. */
function endpoint(fork: string, head: number, error = refusal("unknown block")) {
  const block = (number: number) =>
    number > node.head ? null : { number: `0x${number.toString(16)}`, hash: `0x${fork}${number}` };
  const node = {
    ...{ head, isActive: true, asked: 0, failure: null as Error | null },
    async request({ method, params: [asked] }: { method: string; params: unknown[] }): Promise<unknown> {
      node.asked += 1;
      if (node.failure !== null) throw node.failure;
      if (method === "eth_getBlockByNumber") return block(asked === "latest" ? node.head : Number(asked));
      const hash = String(method === "eth_getLogs" ? (asked as { blockHash: string }).blockHash : asked);
      const found = hash.startsWith(`0x${fork}`) ? block(Number(hash.slice(3))) : null;
      if (method === "eth_getLogs" && found === null) throw error;
      return method === "eth_getLogs" ? [hash] : found;
    },
  };
  return node;
}

/** Ponder's client over endpoints: what the one at a place answers, or another one in its place. */
function asking(...endpoints: ReturnType<typeof endpoint>[]) {
  const rpc = {} as PonderRpc;
  followOneFork({ indexingBuild: { rpcs: [rpc] } } as unknown as PonderApp);
  const buckets = endpoints.map((node, index) => Object.assign(node, { index }));
  return async (body: { method: string; params: unknown[] }, place = 0) => {
    const bucket = buckets[place];
    if (bucket === undefined) throw new Error("no endpoint");
    return (await rpc.ask?.({ body, bucket, buckets }))?.answer;
  };
}

test("an older head than the last one is compared with those of the others, and only then", async () => {
  const [stuck, alive] = [endpoint("a", 10), endpoint("b", 9)];
  const ask = asking(stuck, alive);
  expect(await ask(HEAD)).toMatchObject({ hash: "0xa10" });
  expect(alive.asked).toBe(0);
  alive.head = 12;
  expect(await ask(HEAD, 1)).toMatchObject({ hash: "0xb12" });
  expect(await ask(HEAD)).toMatchObject({ hash: "0xb12" });
  // A chain that has become shorter at all of them.
  alive.head = 8;
  expect(await ask(HEAD)).toMatchObject({ hash: "0xa10" });
});

test("blocks are those of the fork of the last head, whichever endpoint is asked", async () => {
  const [stuck, alive] = [endpoint("a", 10), endpoint("b", 12)];
  const ask = asking(stuck, alive);
  expect(await ask(numbered(5))).toMatchObject({ hash: "0xa5" });
  await ask(HEAD, 1);
  expect(await ask(numbered(5))).toMatchObject({ hash: "0xb5" });
  alive.isActive = false;
  expect(await ask(numbered(5))).toMatchObject({ hash: "0xa5" });
});

test("a block that one endpoint does not have is asked for at the others", async () => {
  const ask = asking(endpoint("a", 10), endpoint("b", 12));
  expect(await ask(hashed("0xb7"))).toMatchObject({ number: "0x7" });
  expect(await ask(logsOf("0xb7"))).toEqual(["0xb7"]);
  expect(await ask(numbered(12))).toMatchObject({ hash: "0xb12" });
  expect(await ask(hashed("0xc7"))).toBeNull();
  await expect(ask(logsOf("0xc7"))).rejects.toThrow("unknown block");
});

test("a rate that is refused and an endpoint that is away are left to Ponder, but for the endpoint of the last head", async () => {
  const other = endpoint("b", 12);
  const limited = endpoint("a", 10, refusal("rate limit exceeded", 429));
  await expect(asking(limited, other)(logsOf("0xb7"))).rejects.toThrow("rate limit");
  const away = endpoint("a", 10);
  away.failure = new Error("fetch failed");
  await expect(asking(away, other)(hashed("0xb7"))).rejects.toThrow("fetch failed");
  const own = endpoint("a", 10);
  const ask = asking(own, other);
  await ask(HEAD, 1);
  other.failure = new Error("fetch failed");
  expect(await ask(numbered(5))).toMatchObject({ hash: "0xa5" });
});

test("other questions are those of one endpoint", async () => {
  const other = endpoint("b", 12);
  const ask = asking(endpoint("a", 10), other);
  await ask({ method: "eth_getLogs", params: [{ fromBlock: "0x1", toBlock: "0x2" }] }).catch(() => {});
  expect(other.asked).toBe(0);
});
