import { custom, type Hex, HttpRequestError, numberToHex } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { createProvenChain, type ProvenChain } from "../../test/harness/proven-chain.ts";
import type { HttpTransportOf } from "../health/counted-http.ts";
import { createProvableBlocks } from "./blocks.ts";

let chain: ProvenChain;
let number: bigint;
let hash: Hex;
beforeAll(async () => {
  chain = await createProvenChain();
  number = chain.rows.at(-1)?.blockNumber ?? 0n;
  hash = chain.hashOf(number);
});

const TOGETHER = ["eth_getBlockByNumber", "eth_getBlockReceipts"];
const OF = { rpcUrls: ["http://node.example"], budget: { burst: 120, perSecond: 1 } };

/** A node that changes what another answers. */
const lying = (change: (method: string, answer: unknown) => unknown): HttpTransportOf => {
  const { request } = chain.node().http("")({ retryCount: 0 });
  const changed = async (asked: { method: string; params: never }) =>
    change(asked.method, structuredClone(await request(asked)));
  return (() => custom({ request: changed }, { retryCount: 0 })) as unknown as HttpTransportOf;
};

describe("createProvableBlocks", () => {
  it("fetches a block once for all who ask at once, and keeps it", async () => {
    const { http, asked } = chain.node();
    const blocks = createProvableBlocks({ ...OF, http });
    const [one, other] = await Promise.all([blocks.of(number, hash), blocks.of(number, hash)]);
    expect(one).toBe(other);
    expect(await blocks.of(number, hash)).toBe(one);
    expect(one).toMatchObject({ number, hash });
    expect(asked).toEqual(TOGETHER);
  });

  it("asks receipt by receipt where a node refuses all at once, and does not ask for all again", async () => {
    const { http, asked } = chain.node(["eth_getBlockReceipts"]);
    const blocks = createProvableBlocks({ ...OF, http, budget: { burst: 1_000, perSecond: 1 } });
    const block = await blocks.of(number, hash);
    if ("reason" in block) throw new Error(block.detail);
    const count = block.receipts.length;
    expect(count).toBeGreaterThan(100);
    const oneByOne = Array<string>(count).fill("eth_getTransactionReceipt");
    expect(asked).toEqual([...TOGETHER, ...oneByOne]);
    const first = chain.rows[0]?.blockNumber ?? 0n;
    await blocks.of(first, chain.hashOf(first));
    expect(asked.slice(2 + count)).not.toContain("eth_getBlockReceipts");
  });

  it("spends no more requests than the operator allows", async () => {
    const { http, asked } = chain.node();
    const blocks = createProvableBlocks({ ...OF, http, budget: { burst: 3, perSecond: 0.01 } });
    await blocks.of(number, hash);
    const others = [...new Set(chain.rows.map(({ blockNumber }) => blockNumber))].slice(0, 2);
    const answers = await Promise.all(others.map((other) => blocks.of(other, chain.hashOf(other))));
    for (const answer of answers)
      expect(answer).toMatchObject({ reason: "too_many_requests", retryAfter: 100 });
    expect(asked.length).toBe(3);
    // Kept blocks cost nothing.
    expect(await blocks.of(number, hash)).toMatchObject({ hash });
  });

  it("says when a block is too large to be asked for receipt by receipt", async () => {
    const { http, asked } = chain.node(["eth_getBlockReceipts"]);
    const blocks = createProvableBlocks({ ...OF, http, budget: { burst: 50, perSecond: 1 } });
    const answer = await blocks.of(number, hash);
    expect(answer).toMatchObject({
      reason: "proof_unavailable",
      detail: expect.stringMatching(
        /^This takes \d+ requests to the chain, more than this service makes for a proof: the node returns/,
      ),
    });
    expect(asked).toEqual(TOGETHER);
  });

  it("says that no request is allowed if the budget is 0", async () => {
    const { http } = chain.node();
    const blocks = createProvableBlocks({ ...OF, http, budget: { burst: 0, perSecond: 0 } });
    expect(await blocks.of(number, hash)).toMatchObject({
      reason: "proof_unavailable",
      detail: "This takes 1 request to the chain, more than this service makes for a proof.",
    });
  });

  it.each([undefined, 429, 500])("asks a silent node once in five seconds: status %s", async (status) => {
    let asked = 0;
    const request = async () => {
      asked += 1;
      throw new HttpRequestError({ url: "http://node.example/KEY", ...(status && { status }) });
    };
    const http = (() => custom({ request }, { retryCount: 0 })) as unknown as HttpTransportOf;
    const blocks = createProvableBlocks({ ...OF, http });
    for (const answer of [await blocks.of(number, hash), await blocks.hashOf(number)]) {
      expect(answer).toEqual({
        reason: "chain_silent",
        detail: expect.not.stringContaining("KEY"),
        retryAfter: 5,
      });
    }
    expect(asked).toBe(1);
  });

  it("does not take another block for the one that it asked for", async () => {
    const [first] = chain.rows;
    const { request } = chain.node().http("")({ retryCount: 0 });
    const another = await request({
      method: TOGETHER[0],
      params: [numberToHex(first?.blockNumber ?? 0n), false],
    } as never);
    const blocks = createProvableBlocks({ ...OF, http: lying(() => another) });
    for (const answer of [await blocks.hashOf(number), await blocks.of(number, hash)]) {
      expect(answer).toMatchObject({
        reason: "proof_unavailable",
        detail: `The chain's node was asked for block ${number} and returned a different one.`,
      });
    }
  });

  it("has no proof of a block that the index has of another fork", async () => {
    const { http } = chain.node();
    const blocks = createProvableBlocks({ ...OF, http });
    expect(await blocks.of(number, `0x${"ab".repeat(32)}`)).toMatchObject({
      reason: "proof_unavailable",
      detail: `The chain's node has a different block ${number} than the one indexed.`,
    });
  });

  it("knows the hash of a block", async () => {
    const { http, asked } = chain.node();
    const blocks = createProvableBlocks({ ...OF, http });
    expect([await blocks.hashOf(number), await blocks.hashOf(number)]).toEqual([hash, hash]);
    expect(asked).toEqual(["eth_getBlockByNumber"]);
  });

  it.each<[string, (method: string, answer: never) => unknown]>([
    [
      "of another fork",
      (method, answer: object) =>
        method === TOGETHER[0] ? { ...answer, hash: `0x${"ab".repeat(32)}` } : answer,
    ],
    [
      "with another header",
      (method, answer: object) => (method === TOGETHER[0] ? { ...answer, gasUsed: "0x1" } : answer),
    ],
    ["without the block", (method, answer) => (method === TOGETHER[0] ? null : answer)],
    ["with nonsense for a block", (method, answer) => (method === TOGETHER[0] ? { hash: 7 } : answer)],
    [
      "with a receipt too few",
      (method, answer: object[]) => (method === TOGETHER[1] ? answer.slice(1) : answer),
    ],
    [
      "with another receipt",
      (method, answer: object[]) =>
        method === TOGETHER[1] ? [{ ...answer[0], status: "0x0" }, ...answer.slice(1)] : answer,
    ],
    ["with nonsense for receipts", (method, answer) => (method === TOGETHER[1] ? "0x" : answer)],
  ])("has no proof by a node %s", async (_, change) => {
    const blocks = createProvableBlocks({
      ...OF,
      http: lying(change as (method: string, answer: unknown) => unknown),
    });
    expect(await blocks.of(number, hash)).toMatchObject({ reason: "proof_unavailable", retryAfter: 60 });
  });
});
