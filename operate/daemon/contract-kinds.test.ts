import type { Hex } from "viem";
import { expect, it } from "vitest";
import { escrowFactoryBytecode } from "../../contracts/artifacts/EscrowFactory.ts";
import { listingEscrowBytecode } from "../../contracts/artifacts/ListingEscrow.ts";
import { listingTokenBytecode } from "../../contracts/artifacts/ListingToken.ts";
import { rogueEscrowBytecode } from "../../contracts/artifacts/RogueEscrow.ts";
import { secondaryDeskBytecode } from "../../contracts/artifacts/SecondaryDesk.ts";
import { testDollarBytecode } from "../../contracts/artifacts/TestDollar.ts";
import { type ContractVariable, otherKindOf, topicsOfKinds } from "./contract-kinds.ts";

const TOPICS = topicsOfKinds({ contracts: null });
const DELEGATECALL = "f4";
/** Nothing answers there. */
const NODE = { url: "http://127.0.0.1:1", timeout: 1_000 };
const kind = (variable: ContractVariable, code: string) =>
  otherKindOf(NODE, { address: `0x${"a1".repeat(20)}`, variable }, code, TOPICS);

it.each<[ContractVariable, string, string]>([
  ["ESCROWS", "an escrow", listingEscrowBytecode],
  ["ESCROW_FACTORY", "a factory", escrowFactoryBytecode],
  ["DESK", "a desk", secondaryDeskBytecode],
  ["ESCROWS", "code with the events of all", rogueEscrowBytecode],
  ["ESCROWS", "code that may have its events in a library", `${testDollarBytecode}${DELEGATECALL}`],
])("takes for %s: %s", async (variable, _, code) => {
  expect(await kind(variable, code)).toBeNull();
});

it.each<[ContractVariable, string, string]>([
  ["ESCROWS", "TOKEN", testDollarBytecode],
  ["ESCROWS", "TOKEN", listingTokenBytecode],
  ["ESCROWS", "DESK", secondaryDeskBytecode],
  ["ESCROW_FACTORY", "ESCROWS", listingEscrowBytecode],
  ["DESK", "ESCROW_FACTORY", escrowFactoryBytecode],
  ["DESK", "TOKEN", testDollarBytecode],
  ["DESK", "unknown", "0x00"],
])("does not take for %s what is %s", async (variable, other, code) => {
  expect(await kind(variable, code)).toBe(other);
});

it("finds a topic with leading zeros, which a compiler pushes without them", async () => {
  const topic: Hex = `0x0000${"5e".repeat(30)}`;
  const topics = { ...TOPICS, ESCROWS: [topic] };
  const code = `0x6080${`7d${topic.slice(6)}`}a1`;
  expect(await otherKindOf(NODE, { address: "0xa1", variable: "ESCROWS" }, code, topics)).toBeNull();
});

it("is not misled by bytes that are no operations", async () => {
  const constant = `0x7f${DELEGATECALL.repeat(32)}`;
  const metadata = `a165${"f4".repeat(20)}0016`;
  expect(await kind("ESCROWS", `${constant}7f${TOPICS.TOKEN[0]?.slice(2)}00${metadata}`)).toBe("TOKEN");
});
