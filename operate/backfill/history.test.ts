import { expect, it } from "vitest";
import { createChainClient } from "../../chain/client.ts";
import type { LedgerRow } from "../../src/fold/state.ts";
import { startRpcProxy } from "../../test/harness/rpc-proxy.ts";
import { blockAt, foldEarlier, ROWS_AT_ONCE } from "./history.ts";

/** An endpoint over nodes in turn, each of which has the blocks up to one. */
async function startEndpoint(heads: readonly number[]): Promise<string> {
  let asked = 0;
  const proxy = await startRpcProxy("http://127.0.0.1:1");
  proxy.answers = ({ params: [number] = [] }) => {
    const head = heads[asked++ % heads.length] ?? 0;
    const block = { number, hash: "0xa", parentHash: "0xb", timestamp: "0x1" };
    return Number(number) > head ? null : block;
  };
  return proxy.url;
}

it.each([
  ["the next endpoint", [[4], [5]]],
  ["another node behind the same URL", [[4, 4, 5]]],
])("finds a block that an endpoint does not have yet at %s", async (_where, nodes) => {
  const client = createChainClient({ urls: await Promise.all(nodes.map(startEndpoint)), concurrency: 1 });
  expect(await blockAt(client, 5, 1)).toMatchObject({ number: "0x5" });
});

it("says so where none has it", async () => {
  const client = createChainClient({ urls: [await startEndpoint([4])], concurrency: 1 });
  await expect(blockAt(client, 5, 1)).rejects.toThrow("the endpoints have no block 5");
});

it("tells how far it has folded an earlier ledger", async () => {
  const told: number[][] = [];
  let count = 0;
  const book = {
    addRow: () => void count++,
    waiting: () => (count % 2 === 0 ? ROWS_AT_ONCE : 0),
    take: () => ({}),
    count: () => count,
  };
  const hash = `0x${"5".repeat(64)}` as const;
  const events = [3n, 3n, 5n, 6n, 9n].map((blockNumber) => ({
    row: { blockNumber } as LedgerRow,
    blockHash: hash,
  }));
  const reached = (...at: number[]) => void told.push(at);
  expect(await foldEarlier(events, 8, { book, sender: { send: async () => {} }, reached })).toBe(3);
  expect(told).toEqual([
    [3, 8, 2],
    [6, 8, 4],
    [8, 8, 4],
  ]);
});
