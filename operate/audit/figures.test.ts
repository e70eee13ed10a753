import type { Address, Hex } from "viem";
import { beforeAll, expect, it } from "vitest";
import { contractsOf } from "../../src/contracts/contracts.ts";
import { type LocalChain, startChain } from "../../test/harness/chain.ts";
import { holderKey, readFigures } from "./figures.ts";

const [GOOD, BAD, WORSE] = ["a1", "a2", "a3"].map((byte): Address => `0x${byte.repeat(20)}`) as [
  Address,
  Address,
  Address,
];
/** Answers 7 to everything. */
const SEVEN: Hex = "0x600760005260206000f3";
/** INVALID, which takes all gas that it is given. */
const INVALID: Hex = "0xfe";

let chain: LocalChain;
beforeAll(async () => {
  chain = await startChain();
  await chain.testClient.setCode({ address: GOOD, bytecode: SEVEN });
  for (const address of [BAD, WORSE]) await chain.testClient.setCode({ address, bytecode: INVALID });
});

it("has no balances of tokens that take all gas of their requests, and those of all other tokens", async () => {
  const holders = [BAD, GOOD, BAD, WORSE].flatMap((token, part) =>
    Array.from({ length: 30 }, (_, index) => ({
      ...{ token, holder: `0x${(index + 100 * part + 4096).toString(16).repeat(10)}` as const },
    })),
  );
  const block = await chain.publicClient.getBlockNumber();
  const { escrow } = contractsOf({ contracts: null });
  const targets = { listings: [], escrows: [], tokens: [], holders };
  const { balances } = await readFigures(chain.publicClient, escrow, targets, { block });
  const expected = holders.map((row) => [holderKey(row), row.token === GOOD ? 7n : "no answer"]);
  expect([...balances]).toEqual(expected);
});
