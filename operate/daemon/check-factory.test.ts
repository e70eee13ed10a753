import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Hex } from "viem";
import { beforeAll, expect, it } from "vitest";
import { readSettings } from "../../config/environment.ts";
import { type LocalChain, startChain } from "../../test/harness/chain.ts";
import { BACKER } from "../../test/harness/emit.ts";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { EMITTER, logsOf, send } from "../../test/harness/foreign/foreign.ts";
import { checkModule } from "./check-module.ts";

const [FACTORY, ESCROW, NOTHING] = ["fa", "e5", "0b"].map((byte): Hex => `0x${byte.repeat(20)}`) as [
  Hex,
  Hex,
  Hex,
];
const DEPLOYED = "event Deployed(address indexed raise, address indexed owner)";
const folder = temporaryFolder();
let chain: LocalChain;

beforeAll(async () => {
  chain = await startChain();
  for (const address of [FACTORY, ESCROW]) await chain.testClient.setCode({ address, bytecode: EMITTER });
  const logs = logsOf([DEPLOYED, "event PaidIn(address indexed who, uint256 value)"]);
  await send(chain, FACTORY, logs("Deployed", ESCROW, NOTHING));
  await send(chain, ESCROW, logs("PaidIn", BACKER, 1n));
});

/** The warnings of a module with this factory. */
async function warningsOf(event: string, escrow: string, blocksPerCall = 1_000): Promise<readonly string[]> {
  const path = join(
    folder,
    `${Buffer.from(event + escrow)
      .toString("hex")
      .slice(-80)}.mjs`,
  );
  writeFileSync(
    path,
    `export default { name: "Ours", factory: ${JSON.stringify({ event, escrow })}, escrow: { abi: ["event PaidIn(address indexed who, uint256 value)"],
      onchainId: () => 1n, events: { PaidIn: ({ args }) => ({ kind: "subscribed", backer: args.who, amount: args.value }) } } };`,
  );
  const settings = readSettings({
    ...{ RPC_URLS: chain.rpcUrl, REGISTRY: "registry.json", CONTRACTS: path },
    ESCROW_FACTORY: `${FACTORY}@0`,
  });
  const head = Number(await chain.publicClient.getBlockNumber());
  const node = { url: chain.rpcUrl, head, timeout: 10_000 };
  const { warnings } = await checkModule(settings, { node, blocksPerCall, mostCalls: 1 });
  return warnings.map(({ variable, warning }) => `${variable} ${warning}`);
}

it("says nothing of a factory that announces the escrows", async () => {
  expect(await warningsOf(DEPLOYED, "raise")).toEqual([]);
});

it("says that the factory emits another event than the module's", async () => {
  expect(await warningsOf("event Deployed(address indexed raise, uint256 owner)", "raise")).toEqual([
    expect.stringMatching(
      new RegExp(
        `^CONTRACTS has a factory event that the factory ${FACTORY} did not emit in the blocks 0 to \\d+: Deployed\\(address,uint256\\); it emitted 1 other log$`,
      ),
    ),
  ]);
});

it("says nothing of a factory that emitted nothing in the first blocks, where later ones are not read", async () => {
  expect(await warningsOf(DEPLOYED, "raise", 1)).toEqual([]);
});

it("says that other parameters of the event are indexed", async () => {
  expect(await warningsOf("event Deployed(address indexed raise, address owner)", "owner")).toEqual([
    expect.stringContaining("has other indexed parameters of Deployed(address,address) than 1 log in"),
  ]);
});

it("says that there is no contract at what it announces", async () => {
  const [first, ...more] = await warningsOf(DEPLOYED, "owner");
  expect(first).toBe(
    `CONTRACTS takes addresses without a contract from Deployed(address,address) of the factory: ${NOTHING}`,
  );
  expect(more).toEqual([expect.stringContaining("handlers for events that none of the escrows emitted")]);
});
