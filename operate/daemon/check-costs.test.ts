import { expect, test } from "vitest";
import { readSettings } from "../../config/environment.ts";
import { callsPerDay, estimateIndexing } from "./check-costs.ts";

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
    "two endpoints, compared every 30 blocks by two calls each",
    TWO,
    0.45,
    194_880 + 2 * (21_600 + 2 * 6_400),
  ],
  ["three of which two are the same", { RPC_URLS: `${TWO.RPC_URLS},${RPC}` }, 0.45, 194_880 + 2 * 34_400],
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

const OTHERS = Array.from({ length: 200 }, (_, index) => `0x${`${index}`.padStart(40, "0")}@48000000`);
const MILLION = { blocks: 1_000_000, blocksPerCall: 1_000, secondsPerCall: 0.2 };

// 1,000 ranges. In bulk 32 calls of 0.2 s are under way at the same time, 160 a second; event by event 20 a second for
// each URL.
test.each([
  ["one contract", {}, 1_000, 1_000 / 160],
  ["contracts in one call", { DESK: ESCROW, ESCROW_FACTORY: ESCROW }, 1_000, 1_000 / 160],
  ["more contracts than fit into one", { ESCROWS: [ESCROW, ...OTHERS].join() }, 2_000, 2_000 / 160],
  ["tokens after them", { HOLDERS: "true" }, 2_000, 2_000 / 160],
  ["fewer calls at the same time", { RPC_CONCURRENCY: "4" }, 1_000, 1_000 / 20],
  ["event by event", { FAST_FORWARD: "false" }, 1_000, 1_000 / 20],
  [
    "the same, each source by itself and factories twice",
    { FAST_FORWARD: "false", HOLDERS: "true", DESK: ESCROW, ESCROW_FACTORY: ESCROW },
    6_000,
    6_000 / 20,
  ],
  [
    "the same from two endpoints",
    { FAST_FORWARD: "false", RPC_URLS: "http://127.0.0.1:8545,http://127.0.0.1:8546" },
    1_000,
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
