import { numberToHex } from "viem";
import { expect, it } from "vitest";
import { createChainClient } from "../../chain/client.ts";
import { readSettings } from "../../config/environment.ts";
import { createLogger } from "../../config/log.ts";
import type { LedgerRow } from "../../src/fold/state.ts";
import { startRpcProxy } from "../../test/harness/rpc-proxy.ts";
import { blockAt, foldEarlier, ROWS_AT_ONCE, readHistory, settledBlock } from "./history.ts";

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

it.each([
  ["the lowest that they name", [960, 970], 960],
  ["the one that is named", [null, 970], 970],
  ["a deep one where they name none", [null, null], 600],
  ["a deep one where they name an old one", [100, 970], 600],
  ["none that is the chain's last", [1_000, 1_000], 999],
])("takes for settled, of the final blocks of two endpoints, %s", async (_, finals, settled) => {
  const urls = await Promise.all(
    finals.map(async (final) => {
      const proxy = await startRpcProxy("http://127.0.0.1:1");
      proxy.answers = ({ params: [place] = [] }) => {
        const number = place === "latest" ? 1_000 : place === "finalized" ? final : Number(place);
        return number === null
          ? null
          : { number: numberToHex(number), hash: "0xa", parentHash: "0xb", timestamp: "0x1" };
      };
      return proxy.url;
    }),
  );
  const settings = readSettings({
    RPC_URLS: urls.join(),
    ESCROWS: `0x${"1".repeat(40)}@1`,
    REGISTRY: "registry.json",
  });
  const client = createChainClient({ urls, concurrency: 1 });
  expect(await settledBlock(settings, client)).toMatchObject({ number: numberToHex(settled) });
});

it("reads no history whose endpoint turns to another chain meanwhile", async () => {
  const proxy = await startRpcProxy("http://127.0.0.1:1");
  let turnsAt = Number.POSITIVE_INFINITY;
  proxy.answers = ({ method, params: [place] = [] }) => {
    if (method === "eth_getLogs") return [];
    const number = typeof place === "string" && place.startsWith("0x") ? Number(place) : 1000;
    const hash = `0x${number.toString(16).padStart(64, proxy.asked("eth_getLogs") < turnsAt ? "a" : "b")}`;
    return { number: `0x${number.toString(16)}`, hash, parentHash: hash, timestamp: "0x1" };
  };
  const settings = readSettings({
    ...{ RPC_URLS: proxy.url, ESCROWS: `0x${"1".repeat(40)}@1`, REGISTRY: "registry.json" },
    ...{ LOGS_PROVEN: "none", ETH_GET_LOGS_RANGE: "100", RAISEBOOK_DATA_DIR: "memory://" },
  });
  const read = () => {
    proxy.reset();
    return readHistory({
      ...{ settings, log: createLogger({ format: "json", level: "error" }) },
      client: createChainClient({ urls: [proxy.url], concurrency: 1 }),
      prepare: async () => ({ send: async () => {}, end: async () => {} }),
    });
  };
  expect(await read()).toMatchObject({ finalized: { number: "0x3e7" } });
  turnsAt = 5;
  await expect(read()).rejects.toThrow(/^the endpoints have no block 999 with the hash 0xa+3e7 any more$/);
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
  count = 0;
  expect(await foldEarlier(events, 6, { book, sender: { send: async () => {} }, reached })).toBe(3);
  expect(count).toBe(4);
});
