import { expect, it } from "vitest";
import { createChainClient } from "../../chain/client.ts";
import { followContracts } from "../../chain/contracts.ts";
import { readSettings } from "../../config/environment.ts";
import { blockOf } from "../../src/fold/event-id.ts";
import { endOf } from "./ponder.ts";
import { createBackfillProofs } from "./proofs.ts";

const settings = readSettings({
  RPC_URLS: "http://127.0.0.1:1",
  ESCROWS: `0x${"1".repeat(40)}@1`,
  REGISTRY: "registry.json",
});
const block = (number: number) => ({
  number: `0x${number.toString(16)}` as const,
  hash: `0x${"a".repeat(64)}` as const,
  parentHash: `0x${"b".repeat(64)}` as const,
  timestamp: "0x1" as const,
});

it.each([
  ["before the end of its rows: what follows is proven later", 3, 3, "3"],
  ["at the end of its rows", 5, 20, "3"],
  [
    "after the end of its rows, as those behind a gap are not taken: the pages prove what follows",
    9,
    20,
    "1",
  ],
])("goes on where an earlier ledger is proven up to a block %s", async (_what, upTo, expected, proven) => {
  const client = createChainClient({ urls: settings.rpcUrls, concurrency: 1 });
  const proofs = createBackfillProofs({ settings, client, log: { warn() {} } }, followContracts(settings));
  const before = {
    upTo: await endOf(block(upTo), settings.chainId),
    proven: "3",
    unproven: "1",
    omitting: [],
  };
  // Two blocks with rows up to the last one, and two after it.
  proofs.goOnFrom({ last: 5, blocks: 2, completeness: { mode: "events", ...before } });
  const { upTo: reached, ...counts } = await proofs.upTo(block(20));
  expect(Number(blockOf(reached ?? "").number)).toBe(expected);
  expect(counts).toMatchObject({ proven, unproven: "1" });
});
