import { expect, test } from "vitest";
import { readSettings } from "../../config/environment.ts";
import { startRpcProxy } from "../../test/harness/rpc-proxy.ts";
import { probeRange } from "./check-range.ts";

const ESCROW = "0x5fbdb2315678afecb367f032d93f642f64180aa3@1";

test.each([
  { perBlock: 1, read: [10, 100, 1_000] },
  { perBlock: 19, read: [190, 1_900, 0] },
  { perBlock: 30, read: [300, 0, 0] },
])(
  "with $perBlock logs in a block the range of an endpoint is found by few of them",
  async ({ perBlock, read }) => {
    const endpoint = await startRpcProxy("http://127.0.0.1:9");
    const answered: number[] = [];
    endpoint.answers = ({ params }) => {
      const { fromBlock, toBlock, topics = [] } = Object(params?.[0]);
      const blocks = Number(toBlock) - Number(fromBlock) + 1;
      if (blocks > 1_000) throw new Error("block range is too wide");
      const logs = topics.length === 0 ? Array(perBlock * blocks).fill({}) : [];
      answered.push(logs.length);
      return logs;
    };
    const settings = readSettings({ RPC_URLS: endpoint.url, REGISTRY: "registry.json", ESCROWS: ESCROW });
    const node = { url: endpoint.url, head: 100_000, timeout: 5_000 };
    const range = await probeRange(settings, node, []);
    await endpoint.stop();
    expect(range?.blocksPerCall).toBe(1_000);
    expect(answered).toEqual(read);
  },
);
