import { RpcRequestError } from "viem";
import { describe, expect, it } from "vitest";
import { rememberLately } from "../../config/lately.ts";
import { BLOCK, LOGS } from "../../test/harness/block-vector.ts";
import { recordedLog } from "../../test/harness/snapshot.ts";
import { requireCompleteLogs } from "./complete-logs.ts";
import type { PonderApp, PonderRpc } from "./ponder.ts";
import type { NoteUnfit } from "./unfit.ts";

type Answer = (method: string) => unknown;

const URLS = ["https://one.example/v2/SECRET", "https://two.example/"];
const HEADER = { method: "eth_getBlockByNumber", params: [BLOCK.number, true] };
const ALL_LOGS = { method: "eth_getLogs", params: [{ blockHash: BLOCK.hash }] };
const honest: Answer = (method) => (method === "eth_getLogs" ? LOGS : BLOCK);
const withoutLast: Answer = (method) => (method === "eth_getLogs" ? LOGS.slice(0, -1) : BLOCK);

/** Ponder's client over these endpoints, each named twice, of which it asks the first. */
function asking(...answers: Answer[]) {
  const rpc = {} as PonderRpc;
  const { log, lines } = recordedLog();
  const omissions = rememberLately((host: string) => host);
  const asked: number[] = [];
  const urls = URLS.slice(0, answers.length).flatMap((url) => [url, url]);
  const indexingBuild = { rpcs: [rpc], chains: [{ rpc: urls }] };
  const app = { indexingBuild } as unknown as PonderApp;
  const unfit: string[] = [];
  const noteUnfit: NoteUnfit = (host, reason) => void unfit.push(`${host} ${reason}`);
  requireCompleteLogs(app, { wsUrl: "wss://ws.example/KEY" }, { omissions, noteUnfit, log });
  const buckets = urls.map((_, index) => ({
    index,
    isActive: true,
    async request({ method }: { method: string }) {
      asked.push(index);
      return answers[Math.floor(index / 2)]?.(method);
    },
  }));
  const [bucket] = buckets;
  if (bucket === undefined) throw new Error("no endpoint");
  const ask = async (body: { method: string; params: unknown[] }) =>
    rpc.complete?.({ body, answer: await bucket.request(body), bucket, buckets });
  return { ask, asked, lines, omitting: () => omissions.current(), buckets, rpc, unfit };
}

describe("requireCompleteLogs", () => {
  it("passes complete answers on, without another request", async () => {
    const { ask, asked, omitting } = asking(honest, honest);
    expect(await ask(HEADER)).toBe(BLOCK);
    expect(await ask(ALL_LOGS)).toBe(LOGS);
    expect(asked).toEqual([0, 0]);
    expect(omitting()).toEqual([]);
  });

  it("takes the answer of another endpoint, once, and names the one that left a log out by its host", async () => {
    const { ask, asked, lines, omitting } = asking(withoutLast, honest);
    await ask(HEADER);
    expect(await ask(ALL_LOGS)).toBe(LOGS);
    expect(asked).toEqual([0, 0, 2]);
    expect(omitting()).toEqual(["one.example"]);
    expect(lines).toMatchObject([{ level: "warn", endpoint: "one.example", method: "eth_getLogs" }]);
    expect(JSON.stringify(lines)).not.toContain("SECRET");
  });

  it("fails where none gives all logs", async () => {
    const { ask, omitting } = asking(withoutLast, withoutLast);
    await ask(HEADER);
    await expect(ask(ALL_LOGS)).rejects.toThrow(/no endpoint gives a complete answer/);
    expect(omitting()).toEqual(["one.example", "two.example"]);
  });

  it("names an endpoint that has pruned what Ponder needs, and none that refuses anything else", () => {
    const { buckets, rpc, unfit } = asking(honest, honest);
    const [one, , two] = buckets;
    if (one === undefined || two === undefined) throw new Error("no endpoint");
    const errorOf = (message: string, code: number) =>
      new RpcRequestError({ body: {}, error: { message, code }, url: "https://one.example/v2/SECRET" });
    rpc.refused?.({ error: errorOf("pruned history unavailable", 4444), bucket: two });
    rpc.refused?.({ error: errorOf("block range is too large", -32_000), bucket: one });
    expect(unfit).toEqual(["two.example pruned"]);
  });

  const [first, ...others] = LOGS;
  it.each([
    ["an index that is null", { logIndex: null }],
    ["the index of another", { logIndex: LOGS[1]?.logIndex }],
    ["the mark of a block that is gone", { removed: true }],
  ])("takes the answer of another endpoint where a log has %s, in a range too", async (_, changes) => {
    const unusable: Answer = (method) =>
      method === "eth_getLogs" ? [{ ...first, ...changes }, ...others] : BLOCK;
    const { ask, omitting, unfit } = asking(unusable, honest);
    const inRange = { method: "eth_getLogs", params: [{ fromBlock: BLOCK.number, toBlock: BLOCK.number }] };
    for (const body of [ALL_LOGS, inRange]) expect(await ask(body)).toBe(LOGS);
    expect(unfit).toEqual(["one.example unusable_logs", "one.example unusable_logs"]);
    expect(omitting()).toEqual([]);
    await expect(asking(unusable).ask(ALL_LOGS)).rejects.toThrow(/of a log|a log \(|have the index/);
  });

  it("fails with the only endpoint, and passes its next answer on", async () => {
    let times = 0;
    const { ask } = asking((method) => {
      if (method === "eth_getLogs") times += 1;
      return times === 1 ? withoutLast(method) : honest(method);
    });
    await ask(HEADER);
    await expect(ask(ALL_LOGS)).rejects.toThrow(/complete/);
    expect(await ask(ALL_LOGS)).toBe(LOGS);
  });

  it("refuses a header whose filter hides logs, where a header of the same form has hashed to its hash", async () => {
    const hiding = { ...BLOCK, hash: `${BLOCK.hash.slice(0, -1)}0`, logsBloom: `0x${"0".repeat(512)}` };
    const { ask, omitting, rpc } = asking((method) => (method === HEADER.method ? hiding : LOGS), honest);
    // It may be of a fork that is not known here.
    expect(await ask(HEADER)).toBe(hiding);
    expect(rpc.isAnnounced?.(BLOCK)).toBe(true);
    const other = { ...hiding, hash: `${BLOCK.hash.slice(0, -1)}1` };
    expect(rpc.isAnnounced?.(other)).toBe(false);
    expect(rpc.isAnnounced?.({ ...other, aFieldToCome: "0x1" })).toBe(true);
    expect(omitting()).toEqual(["ws.example"]);
  });

  it("leaves alone what is not about all logs of a block", async () => {
    const { ask } = asking(() => []);
    const inRange = { method: "eth_getLogs", params: [{ fromBlock: "0x1", toBlock: "0x2" }] };
    expect(await ask(inRange)).toEqual([]);
    expect(await ask({ method: "eth_chainId", params: [] })).toEqual([]);
  });
});
