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
const LOGS_OF_RANGE = { method: "eth_getLogs", params: [{ fromBlock: "0x1", toBlock: "0x2" }] };

const refusal = (message: string, code = -32_000) =>
  new RpcRequestError({ body: {}, error: { message, code }, url: "https://one.example" });

/** An endpoint with a chain of so many blocks, all of one fork. */
function endpoint(fork: string, head: number, error = refusal("unknown block")) {
  const hashOf = (number: number) => `0x${fork}${number}`;
  const block = (number: number) =>
    number > node.head
      ? null
      : { number: `0x${number.toString(16)}`, hash: hashOf(number), parentHash: hashOf(number - 1) };
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

/** Ponder's client over endpoints, each of which is named twice: the endpoints that it may ask, and what one of them answers. */
function asking(...endpoints: ReturnType<typeof endpoint>[]) {
  const rpc = {} as PonderRpc;
  const urls = endpoints.map((_, place) => `https://${place}.example`);
  followOneFork({
    indexingBuild: { rpcs: [rpc], chains: [{ rpc: [...urls, ...urls] }] },
  } as unknown as PonderApp);
  const buckets = [...endpoints, ...endpoints].map((node, index) => ({
    index,
    get isActive() {
      return node.isActive;
    },
    request: node.request,
  }));
  const choice = (body: { method: string; params: unknown[] }) =>
    rpc.choice?.(body, buckets).map(({ index }) => index);
  const ask = async (body: { method: string; params: unknown[] }, place = 0) => {
    const bucket = buckets[place];
    if (bucket === undefined) throw new Error("no endpoint");
    return (await rpc.ask?.({ body, bucket, buckets }))?.answer;
  };
  return { ask, choice, rpc };
}

test("nothing is different with one endpoint", () => {
  expect(asking(endpoint("a", 10)).rpc).toEqual({});
});

test("a head of the same fork is taken from any endpoint without asking another one", async () => {
  const [one, other] = [endpoint("a", 10), endpoint("a", 11)];
  const { ask } = asking(one, other);
  expect(await ask(HEAD)).toMatchObject({ hash: "0xa10" });
  expect(await ask(HEAD, 1)).toMatchObject({ hash: "0xa11" });
  one.head = 11;
  expect(await ask(HEAD)).toMatchObject({ hash: "0xa11" });
  expect([one.asked, other.asked]).toEqual([2, 1]);
});

test("an older head than the last one is compared with those of the others", async () => {
  const [stuck, alive] = [endpoint("a", 10), endpoint("b", 9)];
  const { ask } = asking(stuck, alive);
  expect(await ask(HEAD)).toMatchObject({ hash: "0xa10" });
  expect(await ask(HEAD, 1)).toMatchObject({ hash: "0xa10" });
  alive.head = 12;
  expect(await ask(HEAD, 1)).toMatchObject({ hash: "0xb12" });
  expect(await ask(HEAD)).toMatchObject({ hash: "0xb12" });
  // A chain that has become shorter at all of them.
  alive.head = 8;
  expect(await ask(HEAD)).toMatchObject({ hash: "0xa10" });
});

test("two forks of the same height are not followed in turn", async () => {
  const [one, other] = [endpoint("a", 10), endpoint("b", 10)];
  const { ask } = asking(one, other);
  for (let height = 10; height < 20; height++) {
    [one.head, other.head] = [height, height];
    expect(await ask(HEAD, height % 2)).toMatchObject({ hash: `0xa${height}` });
  }
});

test("the endpoint of the last head is asked for heads and blocks, but for one question for the head in ten", async () => {
  const [stuck, alive] = [endpoint("a", 10), endpoint("b", 12)];
  const { ask, choice } = asking(stuck, alive);
  const all = [0, 1, 2, 3];
  expect(choice(numbered(5))).toEqual(all);
  await ask(HEAD, 1);
  for (const body of [numbered(5), hashed("0xb5"), logsOf("0xb5")]) expect(choice(body)).toEqual([1, 3]);
  expect(choice(LOGS_OF_RANGE)).toEqual(all);
  const polled = Array.from({ length: 20 }, () => choice(HEAD)?.join());
  expect(polled.filter((places) => places === "1,3")).toHaveLength(18);
  expect(polled.filter((places) => places === "0,2")).toHaveLength(2);
  alive.isActive = false;
  expect(choice(numbered(5))).toEqual(all);
});

test("an endpoint that fails is followed no more", async () => {
  const [one, other] = [endpoint("a", 10), endpoint("a", 10)];
  const { ask, choice } = asking(one, other);
  await ask(HEAD);
  expect(choice(numbered(5))).toEqual([0, 2]);
  one.failure = new Error("fetch failed");
  await expect(ask(numbered(5))).rejects.toThrow("fetch failed");
  expect(choice(numbered(5))).toEqual([0, 1, 2, 3]);
});

test("a block that one endpoint does not have is asked for at the others", async () => {
  const { ask, choice } = asking(endpoint("a", 10), endpoint("b", 12));
  expect(await ask(hashed("0xb7"))).toMatchObject({ number: "0x7" });
  expect(await ask(logsOf("0xb7"))).toEqual(["0xb7"]);
  expect(choice(numbered(8))).toEqual([1, 3]);
  expect(await ask(hashed("0xc7"))).toBeNull();
  await expect(ask(logsOf("0xc7"))).rejects.toThrow("unknown block");
});

test("a refusal is told of, though another endpoint has answered", async () => {
  const { ask, rpc } = asking(
    endpoint("a", 10, refusal("pruned history unavailable", 4444)),
    endpoint("b", 12),
  );
  const told: unknown[] = [];
  rpc.refused = ({ error, bucket }) => told.push([(error as RpcRequestError).code, bucket.index]);
  expect(await ask(logsOf("0xb7"))).toEqual(["0xb7"]);
  expect(told).toEqual([[4444, 0]]);
});

test("a rate that is refused and an endpoint that is away are left to Ponder", async () => {
  const other = endpoint("b", 12);
  const limited = endpoint("a", 10, refusal("rate limit exceeded", 429));
  await expect(asking(limited, other).ask(logsOf("0xb7"))).rejects.toThrow("rate limit");
  const away = endpoint("a", 10);
  away.failure = new Error("fetch failed");
  await expect(asking(away, other).ask(hashed("0xb7"))).rejects.toThrow("fetch failed");
  expect(other.asked).toBe(0);
});
