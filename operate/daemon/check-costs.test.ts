import { expect, test } from "vitest";
import { statementOf } from "../../chain/agreement.ts";
import { type ChainClient, createChainClient } from "../../chain/client.ts";
import { followContracts } from "../../chain/contracts.ts";
import { createRanges } from "../../chain/limits.ts";
import { readPages } from "../../chain/pages.ts";
import { createProver } from "../../chain/prover.ts";
import { readSettings } from "../../config/environment.ts";
import { BLOCK, LOGS, RECEIPTS } from "../../test/harness/block-vector.ts";
import { startRpcProxy } from "../../test/harness/rpc-proxy.ts";
import vectors from "../../test/vectors/blocks.json" with { type: "json" };
import { callsPerDay, callsPerEventBlock, dailyCalls, estimateIndexing } from "./check-costs.ts";

const ESCROW = "0x5fbdb2315678afecb367f032d93f642f64180aa3@48000000";
const RPC = "http://127.0.0.1:8545";
const TWO = { RPC_URLS: `${RPC},http://127.0.0.1:8546` };
const REQUIRED = { RPC_URLS: RPC, REGISTRY: "./registry.json", ESCROWS: ESCROW };
const WEB_SOCKET = { WS_URL: "ws://127.0.0.1:8545" };

// A day has 86,400 s: 192,000 blocks of 0.45 s or 28,800 of 3 s. The index asks for itself every 30 s (2,880 calls)
// while blocks keep coming, or every 4 s (21,600). Each endpoint is asked for its final block every 4 s (21,600).
test.each([
  ["each block once", {}, 0.45, 192_000 + 2_880 + 21_600],
  ["each block and its logs, with holders", { HOLDERS: "true" }, 0.45, 384_000 + 2_880 + 21_600],
  [
    "two endpoints, compared every 30 blocks by three calls each",
    TWO,
    0.45,
    194_880 + 2 * (21_600 + 3 * 6_400),
  ],
  ["three of which two are the same", { RPC_URLS: `${TWO.RPC_URLS},${RPC}` }, 0.45, 194_880 + 2 * 40_800],
  ["the same endpoint twice", { RPC_URLS: [RPC, RPC].join() }, 0.45, 194_880 + 21_600],
  ["polls beside slow blocks", {}, 3, 86_400 + 2_880 + 21_600],
  ["polls, and the logs of slow blocks", { HOLDERS: "true" }, 3, 86_400 + 28_800 + 2_880 + 21_600],
  ["rare polls: still each block once", { POLLING_INTERVAL: "2000" }, 0.45, 192_000 + 2_880 + 21_600],
  ["polls so rare that the head is asked for", { POLLING_INTERVAL: "6000" }, 12, 14_400 + 21_600 + 21_600],
  ["no block where blocks are announced", WEB_SOCKET, 0.45, 2_880 + 21_600],
  [
    "announced blocks and their logs, with holders",
    { ...WEB_SOCKET, HOLDERS: "true" },
    0.45,
    384_000 + 2_880 + 21_600,
  ],
  [
    "the factory's tokens too",
    { HOLDERS: "true", ESCROWS: "", ESCROW_FACTORY: ESCROW },
    0.45,
    386_880 + 21_600,
  ],
  ["each header again, to prove possible blocks", { LOGS_PROVEN: "possible" }, 0.45, 386_880 + 21_600],
  ["a factory without holders", { ESCROW_FACTORY: ESCROW, HOLDERS: "false" }, 0.45, 194_880 + 21_600],
])("calls a day: %s", (_, env, secondsPerBlock, calls) => {
  const settings = readSettings({ ...REQUIRED, ...env });
  expect(callsPerDay(settings, { secondsPerBlock })).toBe(calls);
});

// Without a log of any contract, which private chains have many of.
test.each([
  ["half of them", {}, 0.5, 192_000 + 96_000 + 2_880 + 21_600],
  ["all of them", {}, 1, 2 * 192_000 + 2_880 + 21_600],
  ["all of them, with holders: no more than before", { HOLDERS: "true" }, 1, 386_880 + 21_600],
  ["all of them, announced: the block and its logs", WEB_SOCKET, 1, 386_880 + 21_600],
])("calls a day where blocks are empty: %s", (_, env, emptyShare, calls) => {
  const settings = readSettings({ ...REQUIRED, ...env });
  expect(callsPerDay(settings, { secondsPerBlock: 0.45, emptyShare })).toBe(calls);
});

test("calls a day where a quarter of the blocks may have events by their filters, and their receipts are asked for", () => {
  const settings = readSettings({ ...REQUIRED, LOGS_PROVEN: "possible" });
  const calls = callsPerDay(settings, { secondsPerBlock: 0.45, possibleShare: 0.25 });
  expect(calls).toBe(2 * 192_000 + 48_000 + 2_880 + 21_600);
});

// Its logs (and, where it is announced, the block), its header and receipts, and for two seconds every 0.4 s the final block; of two
// endpoints each says its last block, twice, and its logs.
test.each([
  ["an event", {}, 1 + 2 + 5],
  ["without a proof", { LOGS_PROVEN: "none" }, 1 + 5],
  ["announced", WEB_SOCKET, 2 + 2 + 5],
  ["whose logs are fetched anyway", { HOLDERS: "true" }, 2 + 5],
  ["two endpoints", TWO, 1 + 2 + 2 * (5 + 3)],
])("calls for a block with events: %s", (_, env, calls) => {
  expect(callsPerEventBlock(readSettings({ ...REQUIRED, ...env }))).toBe(calls);
});

const OTHERS = Array.from({ length: 200 }, (_, index) => `0x${`${index}`.padStart(40, "0")}@48000000`);
const MILLION = { blocks: 1_000_000, blocksPerCall: 1_000, secondsPerCall: 0.2 };

// 1,000 ranges, each with its last block in the same request. In bulk 32 calls of 0.2 s are under way at the same time, 160 a second; event by event 20 a second for
// each URL.
test.each([
  ["one contract", {}, 2_000, 1_000 / 160],
  ["contracts in one call", { DESK: ESCROW, ESCROW_FACTORY: ESCROW }, 2_000, 1_000 / 160],
  ["more contracts than fit into one", { ESCROWS: [ESCROW, ...OTHERS].join() }, 4_000, 2_000 / 160],
  ["tokens after them", { HOLDERS: "true" }, 4_000, 2_000 / 160],
  ["fewer calls at the same time", { RPC_CONCURRENCY: "4" }, 2_000, 1_000 / 20],
  // A million blocks, 50 in a request.
  ["each header to be proven", { LOGS_PROVEN: "possible" }, 1_002_000, 21_000 / 160],
  ["event by event", { FAST_FORWARD: "false" }, 2_000, 1_000 / 20],
  ["event by event, proven behind it", { FAST_FORWARD: "false", LOGS_PROVEN: "possible" }, 1_002_000, 50],
  [
    "the same, each source by itself and factories twice",
    { FAST_FORWARD: "false", HOLDERS: "true", DESK: ESCROW, ESCROW_FACTORY: ESCROW },
    12_000,
    6_000 / 20,
  ],
  [
    "the same from two endpoints",
    { FAST_FORWARD: "false", RPC_URLS: "http://127.0.0.1:8545,http://127.0.0.1:8546" },
    2_000,
    1_000 / 40,
  ],
])("a first indexing: %s", (_, env, calls, seconds) => {
  const settings = readSettings({ ...REQUIRED, ...env });
  // A thousand times as much, as hours have two decimals.
  const estimate = estimateIndexing(settings, { ...MILLION, blocks: 1_000 * MILLION.blocks });
  expect(estimate).toEqual({
    ...{ blocks: 1_000_000_000, blocksPerCall: 1_000, calls: 1_000 * calls },
    hours: Math.round((100 * 1_000 * seconds) / 3_600) / 100,
  });
});

/** How often an endpoint is asked by each method. The filter of one block in ten may have an event, and no block has one. */
async function counted(ask: (client: ChainClient) => Promise<unknown>): Promise<Record<string, number>> {
  const proxy = await startRpcProxy("http://127.0.0.1:9");
  const without = vectors.find(({ name }) => name === "Cancun")?.header;
  proxy.answers = ({ method, params }) => {
    if (method === "eth_getLogs") return [];
    if (method === "eth_getBlockReceipts") return RECEIPTS;
    return Number(params?.[0]) % 10 === 0 ? BLOCK : without;
  };
  try {
    await ask(createChainClient({ urls: [proxy.url], concurrency: 4 }));
    const kinds = { blocks: "eth_getBlockByNumber", logs: "eth_getLogs", receipts: "eth_getBlockReceipts" };
    return Object.fromEntries(Object.entries(kinds).map(([kind, method]) => [kind, proxy.asked(method)]));
  } finally {
    await proxy.stop();
  }
}

const POSSIBLE = { ...REQUIRED, LOGS_PROVEN: "possible", ESCROWS: ESCROW.replace(/@.*/, "@1") };

test("the calls of a first indexing are those that an endpoint counts", async () => {
  const settings = readSettings(POSSIBLE);
  const asked = await counted(async (client) => {
    const pages = readPages({
      ...{ client, followed: followContracts(settings), ranges: createRanges(10) },
      ...{ from: 1, to: 200, ahead: 4, provesPossible: true },
      prover: createProver({ client, topics: [LOGS[0]?.topics[0]] }),
    });
    for await (const { logs } of pages) expect(logs).toEqual([]);
  });
  expect(asked).toEqual({ blocks: 20 + 200, logs: 20, receipts: 20 });
  const range = { blocks: 200, blocksPerCall: 10, secondsPerCall: 0.1, possibleShare: 0.1 };
  expect(estimateIndexing(settings, range).calls).toBe(20 + 200 + 20 + 20);
});

test("the calls of two endpoints that are compared, and that prove what is final, are those that they count", async () => {
  const settings = readSettings(POSSIBLE);
  const query = { followed: followContracts(settings), ranges: createRanges(null), from: 1, to: 30 };
  const compared = await counted((client) => statementOf(client, query));
  const proven = await counted((client) => createProver({ client, topics: [] }).candidates(1, 30));
  // Thirty blocks a day.
  const pace = { secondsPerBlock: 86_400 / 30, possibleShare: 0 };
  const none = dailyCalls(readSettings({ ...POSSIBLE, LOGS_PROVEN: "none" }), pace);
  const one = dailyCalls(settings, pace);
  const two = dailyCalls(readSettings({ ...POSSIBLE, ...TWO }), pace);
  expect(one.blocks - none.blocks).toBe(proven.blocks);
  expect(two.blocks - one.blocks).toBe(21_600 + 2 * Number(compared.blocks));
  expect(two.logs - one.logs).toBe(2 * Number(compared.logs));
});
