import { getAbiItem, type Hex, pad, toEventSelector } from "viem";
import { describe, expect, it } from "vitest";
import { listingEscrowEventsAbi } from "../abis/ListingEscrowEvents.ts";
import { TRANSFER } from "../src/contracts/contracts.ts";
import { followContracts } from "./contracts.ts";
import type { Log } from "./logs.ts";

const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
const [LISTED, FACTORY, DESK, CHILD, TOKEN, STRANGER] = ["1", "2", "3", "4", "5", "6"].map(address) as [
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
];
const CREATED = toEventSelector(getAbiItem({ abi: listingEscrowEventsAbi, name: "ListingCreated" }));
const DEPLOYED = toEventSelector("EscrowDeployed(address)");
const REPAID = toEventSelector("Repaid(uint256,address,uint256,uint256,uint256)");
const CANCELLED = toEventSelector("OfferCancelled(uint256,uint256)");

function log(from: Hex, block: number, topics: Hex[]): Log {
  const raw = { address: from, topics, data: "0x", blockNumber: "0x0", blockHash: "0x" } as const;
  const place = { transactionHash: "0x", transactionIndex: "0x0", logIndex: "0x0" } as const;
  return {
    ...{ raw: { ...raw, ...place }, address: from, topic: topics[0] },
    ...{ block, transactionIndex: 0, logIndex: 0 },
  };
}
const created = (from: Hex, block: number, token: Hex) =>
  log(from, block, [CREATED, "0x1", "0x1", pad(token)]);
const deployed = (from: Hex, block: number, child: Hex) => log(from, block, [DEPLOYED, pad(child)]);

const SETTINGS = {
  contracts: null,
  escrows: [{ address: LISTED, startBlock: 10 }],
  escrowFactory: { address: FACTORY, startBlock: 5 },
  desk: { address: DESK, startBlock: 20 },
  holders: true,
};

describe("followContracts", () => {
  it("counts a listed escrow's events from its own block on, whoever announces it", () => {
    const followed = followContracts(SETTINGS);
    followed.learn(deployed(FACTORY, 6, LISTED));
    expect(followed.counts(log(LISTED, 9, [REPAID]))).toBe(false);
    expect(followed.counts(log(LISTED, 10, [REPAID]))).toBe(true);
    expect(followed.contracts).toEqual([LISTED, FACTORY, DESK]);
  });

  it("counts an announced escrow's events from the block of the announcement on", () => {
    const followed = followContracts(SETTINGS);
    expect(followed.counts(log(CHILD, 9, [REPAID]))).toBe(false);
    followed.learn(deployed(FACTORY, 8, CHILD));
    followed.learn(deployed(FACTORY, 9, CHILD));
    expect([7, 8, 9].map((block) => followed.counts(log(CHILD, block, [REPAID])))).toEqual([
      false,
      true,
      true,
    ]);
    expect(followed.contracts).toEqual([LISTED, FACTORY, DESK, CHILD]);
  });

  it("learns from the factory alone, from its start block on", () => {
    const followed = followContracts(SETTINGS);
    followed.learn(deployed(STRANGER, 8, CHILD));
    followed.learn(deployed(FACTORY, 4, CHILD));
    expect(followed.escrowChildren.size).toBe(0);
  });

  it("counts the desk's events at the desk, from its start block on", () => {
    const followed = followContracts(SETTINGS);
    expect(followed.counts(log(DESK, 19, [CANCELLED]))).toBe(false);
    expect(followed.counts(log(DESK, 20, [CANCELLED]))).toBe(true);
    expect(followed.counts(log(LISTED, 20, [CANCELLED]))).toBe(false);
    expect(followed.counts(log(DESK, 20, [REPAID]))).toBe(false);
  });

  it("follows the tokens of followed escrows, where holders are counted", () => {
    const followed = followContracts(SETTINGS);
    followed.learn(created(STRANGER, 10, TOKEN));
    followed.learn(created(LISTED, 9, TOKEN));
    expect(followed.tokens).toEqual([]);
    followed.learn(created(LISTED, 10, TOKEN));
    followed.learn(created(LISTED, 11, TOKEN));
    expect(followed.tokens).toEqual([TOKEN]);
    expect(followed.counts(log(TOKEN, 9, [TRANSFER]))).toBe(false);
    expect(followed.counts(log(TOKEN, 10, [TRANSFER]))).toBe(true);
    const without = followContracts({ ...SETTINGS, holders: false });
    without.learn(created(LISTED, 10, TOKEN));
    expect(without.tokens).toEqual([]);
  });

  it("follows the tokens of an event that is announced by an event without a handler", () => {
    const text = `exports.default = { name: "Vaults", escrow: {
      abi: ["event Opened(uint256 indexed id)", "event Minted(address token)"],
      onchainId: () => 1n,
      events: { Opened: () => ({ kind: "listing_created" }) },
      token: { event: "Minted", parameter: "token" },
    } };`;
    const contracts = { path: "/vaults.js", text };
    const minted = log(LISTED, 10, [toEventSelector("Minted(address)")]);
    const announced: Log = { ...minted, raw: { ...minted.raw, data: pad(TOKEN) } };
    const followed = followContracts({ ...SETTINGS, contracts });
    expect(followed.topics).toContain(announced.topic);
    for (const other of [STRANGER, LISTED]) followed.learn({ ...announced, address: other });
    expect(followed.tokenChildren).toEqual(new Map([[TOKEN, 10]]));
    expect(followed.counts(announced)).toBe(false);
    expect(followContracts({ ...SETTINGS, contracts, holders: false }).topics).not.toContain(announced.topic);
  });

  it("counts no log without a topic", () => {
    expect(followContracts(SETTINGS).counts(log(LISTED, 10, []))).toBe(false);
  });
});
