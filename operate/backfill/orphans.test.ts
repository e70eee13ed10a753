import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { leaveOrphans } from "./orphans.ts";
import type { PonderApp, PonderRpc } from "./ponder.ts";

/** An endpoint that answers for the logs of a block after milliseconds, and has the block or not, look by look. */
function rpcOf({ after, block }: { after: number; block: object | null | (() => object | null) }): PonderRpc {
  const rpc: PonderRpc = {
    request: async ({ method }) => {
      if (method === "eth_getBlockByHash") return typeof block === "function" ? block() : block;
      await sleep(after);
      return ["logs"];
    },
  };
  leaveOrphans({ indexingBuild: { rpcs: [rpc] } } as unknown as PonderApp, 10);
  return rpc;
}

const logs = { method: "eth_getLogs", params: [{ blockHash: "0x1" }] };

test("a question about a block that is gone ends", async () => {
  await expect(rpcOf({ after: 5_000, block: null }).request(logs)).rejects.toThrow("0x1 is gone");
});

test("a block that is there is waited for, and a quick answer is the answer", async () => {
  expect(await rpcOf({ after: 100, block: {} }).request(logs)).toEqual(["logs"]);
  expect(await rpcOf({ after: 0, block: null }).request(logs)).toEqual(["logs"]);
});

test("a block is gone after two looks in a row that do not find it", async () => {
  let looks = 0;
  const there = [false, true, false, true];
  const block = () => (there[looks++] ? {} : null);
  await expect(rpcOf({ after: 5_000, block }).request(logs)).rejects.toThrow("0x1 is gone");
  expect(looks).toBe(6);
});

test("other questions are not watched", async () => {
  const range = { method: "eth_getLogs", params: [{ fromBlock: "0x1" }] };
  expect(await rpcOf({ after: 100, block: null }).request(range)).toEqual(["logs"]);
});
