/** The guide from an ABI to a running board, followed to the letter with the contracts of a worked example. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tranchedPoolsAbi } from "../../contracts/artifacts/TranchedPools.ts";
import { playExample } from "../../demo/contracts/example.ts";
import { EXAMPLES } from "../../demo/contracts/examples.ts";
import type { PlayedMarket } from "../../demo/market/play.ts";
import { type LocalChain, startDemoChain } from "../harness/chain.ts";
import { freePort } from "../harness/free-port.ts";
import { createOperator, type Operator } from "../harness/operator.ts";

let chain: LocalChain;
let market: PlayedMarket;
let operator: Operator;
let port: number;

beforeAll(async () => {
  const now = Math.floor(Date.now() / 1_000);
  chain = await startDemoChain({ end: now });
  market = await playExample(EXAMPLES["pooled-loans"], chain, { seed: 1, now });
  // As of now, however long that took.
  await chain.testClient.mine({ blocks: 1 });
  port = await freePort();
  operator = createOperator({
    documents: ["docs/first-board.md"],
    place: "board",
    values: {
      "https://bsc-testnet.rpc.example/v2/YOUR_KEY": chain.rpcUrl,
      "0x5fbdb2315678afecb367f032d93f642f64180aa3@48000000": market.settings.ESCROWS ?? "",
      "42069": `${port}`,
    },
    env: { POLLING_INTERVAL: "100", OPERATOR_PORT: `${await freePort()}`, RAISEBOOK_DATA_DIR: "memory://" },
    postgresEnv: null,
  });
  writeFileSync(join(operator.folder, "abi.json"), JSON.stringify(tranchedPoolsAbi));
});

afterAll(async () => {
  await operator?.[Symbol.asyncDispose]();
});

test("a module is begun from the ABI, corrected, and tried on real logs", async () => {
  await operator.follow("A module from the ABI");
  await operator.follow("The settings");
  const said = await operator.follow("The module on real logs");
  expect(said).toContain("Harbor Lending: ");
  expect(said).toContain("DepositMade(address,uint256,uint256): subscribed");
  expect(said).toContain("Not followed: 1 × an event that the ABI does not have");
  expect(said).not.toMatch(/error|Anomalies/);
});

test("the registry and the start make it a board, with all that the chain has", async () => {
  await operator.follow("The registry");
  await operator.follow("The knowledge base");
  const said = await operator.follow("The board");
  expect(operator.left()).toEqual([]);
  // The doctor has nothing to say of the module, and of the rest what the guide announces.
  expect(said).toMatch(/^warning {2}PUBLIC_URL does not answer .*\n.*\n\n1 warning\.$/m);
  expect(said).toContain('"contracts":{"name":"Harbor Lending","decimals":6,"events":9}');
  const now = market.plan.end;
  const visible = market.plan.raises.filter(({ terms }) => terms.goLiveAt <= now);
  // Ready is up to ten blocks behind the head, and the last raise may be in them.
  await expect.poll(refnums).toEqual(visible.map(({ refnum }) => refnum).sort());
});

async function refnums(): Promise<string[]> {
  const { listings } = await (await fetch(`http://127.0.0.1:${port}/v1/listings?limit=100`)).json();
  return listings.map(({ refnum }: { refnum: string }) => refnum).sort();
}
