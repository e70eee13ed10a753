import { type Address, type Hex, maxUint256, parseAbiItem } from "viem";
import { beforeAll, expect, it } from "vitest";
import { contractsOf } from "../../src/contracts/contracts.ts";
import { type LocalChain, startChain } from "../../test/harness/chain.ts";
import { holderKey, readFigures } from "./figures.ts";

const GOOD: Address = `0x${"a1".repeat(20)}`;
const BAD: Address = `0x${"a2".repeat(20)}`;
const WORSE: Address = `0x${"a3".repeat(20)}`;
const WORST: Address = `0x${"a4".repeat(20)}`;
const escrowOf = (index: number): Address => `0x${`e${index}`.repeat(20)}`;
const tokenAt = (index: number): Address => `0x${`b${index}`.repeat(20)}`;
const DOLLAR_VIEW = parseAbiItem("function usd() view returns (address)");
/** Answers 7 to everything. */
const SEVEN: Hex = "0x600760005260206000f3";
/** INVALID, which takes all gas that it is given. */
const INVALID: Hex = "0xfe";

let chain: LocalChain;
beforeAll(async () => {
  chain = await startChain();
  await chain.testClient.setCode({ address: GOOD, bytecode: SEVEN });
  for (const address of [BAD, WORSE, WORST]) await chain.testClient.setCode({ address, bytecode: INVALID });
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

it("has no dollars and supplies of contracts that take all gas of their requests, and those of all others", async () => {
  const contracts = [BAD, WORSE, WORST, GOOD];
  const escrows = contracts.map((dollar, index) => ({ address: escrowOf(index), dollar, nextId: 1n }));
  for (const { address, dollar } of escrows)
    await chain.testClient.setCode({ address, bytecode: `0x73${dollar.slice(2)}60005260206000f3` });
  const block = await chain.publicClient.getBlockNumber();
  const rules = { views: {}, decimals: 18, isNumbered: false, dollar: { view: DOLLAR_VIEW } };
  const targets = { listings: [], escrows, tokens: contracts, holders: [] };
  const figures = await readFigures(chain.publicClient, rules, targets, { block });
  expect([...figures.supplies.values()]).toEqual(["no answer", "no answer", "no answer", 7n]);
  const found = escrows.map(({ address }) => figures.escrows.get(address));
  expect(found.map((one) => [one?.held, one?.decimals])).toEqual([
    ...[
      ["no answer", null],
      ["no answer", null],
      ["no answer", null],
    ],
    [7n, 7],
  ]);
});

it("has no figures of contracts whose answers do not decode, and those of all others", async () => {
  // One byte, and a number of which decimals() has not as many bits.
  const answers: Hex[] = ["0x60016000f3", "0x60001960005260206000f3"];
  const escrows = answers.map((_, index) => ({ address: escrowOf(index + 5), dollar: tokenAt(index) }));
  for (const [index, { address, dollar }] of escrows.entries()) {
    await chain.testClient.setCode({ address: dollar, bytecode: answers[index] ?? "0x" });
    await chain.testClient.setCode({ address, bytecode: `0x73${dollar.slice(2)}60005260206000f3` });
  }
  const block = await chain.publicClient.getBlockNumber();
  const rules = { views: {}, decimals: 18, isNumbered: false, dollar: { view: DOLLAR_VIEW } };
  const targets = {
    listings: [],
    escrows: escrows.map(({ address }) => ({ address, nextId: 1n })),
    tokens: [tokenAt(0), GOOD],
    holders: [{ token: tokenAt(0), holder: GOOD }],
  };
  const figures = await readFigures(chain.publicClient, rules, targets, { block });
  expect([...figures.supplies.values()]).toEqual(["no answer", 7n]);
  expect([...figures.balances.values()]).toEqual(["no answer"]);
  const found = escrows.map(({ address }) => figures.escrows.get(address));
  expect(found.map((one) => one && [one.held, one.decimals])).toEqual([
    ["no answer", null],
    [maxUint256, null],
  ]);
});
