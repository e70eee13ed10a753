import { expect, test } from "vitest";
import { readSettings } from "../config/environment.ts";
import { callsPerDay } from "./check-costs.ts";

const ESCROW = "0x5fbdb2315678afecb367f032d93f642f64180aa3@48000000";
const REQUIRED = { RPC_URLS: "http://127.0.0.1:8545", REGISTRY: "./registry.json", ESCROWS: ESCROW };
const WEB_SOCKET = { WS_URL: "ws://127.0.0.1:8545" };

// A day has 86,400 s: 192,000 blocks of 0.45 s or 28,800 of 3 s. The index asks for itself every 30 s (2,880 calls)
// while blocks keep coming, or every 4 s (21,600).
test.each([
  ["each block once", {}, 0.45, 192_000 + 2_880],
  ["each block and its logs, with holders", { HOLDERS: "true" }, 0.45, 192_000 + 192_000 + 2_880],
  ["polls beside slow blocks", {}, 3, 86_400 + 2_880],
  ["polls, and the logs of slow blocks", { HOLDERS: "true" }, 3, 86_400 + 28_800 + 2_880],
  ["rare polls: still each block once", { POLLING_INTERVAL: "2000" }, 0.45, 192_000 + 2_880],
  ["polls so rare that the head is asked for", { POLLING_INTERVAL: "6000" }, 12, 14_400 + 21_600],
  ["nothing where blocks are announced", WEB_SOCKET, 0.45, 2_880],
  [
    "announced blocks and their logs, with holders",
    { ...WEB_SOCKET, HOLDERS: "true" },
    0.45,
    384_000 + 2_880,
  ],
  ["the factory's tokens too", { HOLDERS: "true", ESCROWS: "", ESCROW_FACTORY: ESCROW }, 0.45, 386_880],
  ["a factory without holders", { ESCROW_FACTORY: ESCROW, HOLDERS: "false" }, 0.45, 194_880],
])("calls a day: %s", (_, env, secondsPerBlock, calls) => {
  const settings = readSettings({ ...REQUIRED, ...env });
  expect(callsPerDay(settings, { secondsPerBlock })).toBe(calls);
});
