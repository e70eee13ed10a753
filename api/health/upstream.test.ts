import { afterEach, describe, expect, it, vi } from "vitest";
import type { Block } from "../../src/fold/events.ts";
import { PATIENCE } from "../../test/harness/patience.ts";
import { type RpcProxy, startRpcProxy } from "../../test/harness/rpc-proxy.ts";
import { recordedLog } from "../../test/harness/snapshot.ts";
import { type HeadWatch, keepsPace, watchHead } from "./upstream.ts";

const at = (number: bigint, timestamp: bigint): Block => ({ number, timestamp });

describe("keepsPace", () => {
  const told = at(1_000n, 50_000n);

  it.each([
    ["the block that was told", at(1_000n, 50_000n), 0, true],
    ["the same, 4 seconds on", at(1_000n, 50_000n), 4, true],
    ["the same, longer on: there should be a new block", at(1_000n, 50_000n), 4.1, false],
    ["a block of now, after 20 s of 0.45 s each", at(1_044n, 50_019n), 20, true],
    ["a block that is 5 s old", at(1_033n, 50_015n), 20, false],
    ["far behind, and moving", at(10n, 40_000n), 0, false],
    ["far ahead: the chain's time has jumped", at(1_001n, 90_000n), 1, false],
    ["a block of now, after half a minute: asked all the same", at(1_066n, 50_030n), 30, false],
    ["nothing indexed yet", null, 0, false],
  ])("%s", (_, indexed, secondsAgo, expected) => {
    expect(keepsPace(indexed, told, secondsAgo)).toBe(expected);
  });
});

describe("followUpstream", () => {
  let rpc: RpcProxy;
  let upstream: HeadWatch;
  afterEach(async () => {
    upstream.stop();
    await rpc.stop();
  });
  /** A node whose head is block 9, asked every 20 ms when there is cause. */
  const follow = async (indexed: Block | null) => {
    rpc = await startRpcProxy("http://127.0.0.1:1");
    rpc.answers = ({ method }) =>
      method === "eth_getBlockByNumber" ? { number: "0x9", timestamp: "0x100", transactions: [] } : undefined;
    const { log, lines } = recordedLog();
    upstream = watchHead({ rpcUrls: [rpc.url], indexed: () => indexed, log, interval: 20 });
    await vi.waitFor(() => expect(upstream.head()).toEqual(at(9n, 0x100n)), PATIENCE);
    return { asked: () => rpc.asked("eth_getBlockByNumber"), lines };
  };
  const manyIntervals = () => new Promise((resolve) => setTimeout(resolve, 600));

  it("asks once while the index is at the head", async () => {
    const { asked } = await follow(at(9n, 0x100n));
    await manyIntervals();
    expect(asked()).toBe(1);
  });

  it("asks again and again while the index is behind", async () => {
    const { asked } = await follow(at(3n, 0x10n));
    await vi.waitFor(() => expect(asked()).toBeGreaterThan(5), PATIENCE);
  });

  it("asks a node that has fallen silent until it answers, and says both once", async () => {
    const { asked, lines } = await follow(at(3n, 0x10n));
    rpc.answers = null;
    await vi.waitFor(() => expect(lines).toHaveLength(1), PATIENCE);
    const before = asked();
    await vi.waitFor(() => expect(asked()).toBeGreaterThan(before + 3), PATIENCE);
    expect(lines.map(({ level }) => level)).toEqual(["warn"]);
    rpc.answers = () => ({ number: "0xa", timestamp: "0x101", transactions: [] });
    await vi.waitFor(() => expect(upstream.head()).toEqual(at(10n, 0x101n)), PATIENCE);
    expect(lines.map(({ level }) => level)).toEqual(["warn", "info"]);
  });

  it("says nothing of one answer that is a rate limit, and calls a lasting one what it is", async () => {
    const { asked, lines } = await follow(at(3n, 0x10n));
    let left = 1;
    rpc.refuses = () => (left-- > 0 ? { status: 429, text: "slow down" } : undefined);
    const before = asked();
    await vi.waitFor(() => expect(asked()).toBeGreaterThan(before + 5), PATIENCE);
    expect(lines).toEqual([]);
    rpc.answers = () => {
      throw new Error("daily request limit reached");
    };
    await vi.waitFor(() => expect(lines).toHaveLength(1), PATIENCE);
    expect(lines).toMatchObject([{ level: "warn", msg: "The RPC limits the rate of requests" }]);
  });
});
