import { getAbiItem, type Hex, pad, toEventSelector } from "viem";
import { describe, expect, it } from "vitest";
import { listingEscrowEventsAbi } from "../abis/ListingEscrowEvents.ts";
import { TRANSFER } from "../src/contracts/contracts.ts";
import { logsRequest, RpcError, type RpcRequest } from "./call.ts";
import type { ChainClient } from "./client.ts";
import { followContracts } from "./contracts.ts";
import { createRanges } from "./limits.ts";
import { InconsistentChainError } from "./logs.ts";
import { type Page, readPages } from "./pages.ts";

const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
const LISTED = address("1");
const FACTORY = address("2");
const CHILD = address("4");
const TOKEN = address("5");
const CREATED = toEventSelector(getAbiItem({ abi: listingEscrowEventsAbi, name: "ListingCreated" }));
const DEPLOYED = toEventSelector("EscrowDeployed(address)");
const REPAID = toEventSelector("Repaid(uint256,address,uint256,uint256,uint256)");

const hex = (number: number): Hex => `0x${number.toString(16)}`;
const hashOf = (block: number): Hex => pad(hex(block));

type Served = { from: Hex; block: number; topics: Hex[] };
type Query = { address: Hex[]; topics: [Hex[]]; fromBlock: Hex; toBlock: Hex };

const repaid = (from: Hex, block: number): Served => ({ from, block, topics: [REPAID] });
const deployed = (block: number): Served => ({ from: FACTORY, block, topics: [DEPLOYED, pad(CHILD)] });
const created = (from: Hex, block: number): Served => ({
  from,
  block,
  topics: [CREATED, pad("0x1"), pad("0x2"), pad(TOKEN)],
});
const transferred = (block: number): Served => ({ from: TOKEN, block, topics: [TRANSFER] });

/** A client with these logs that gives at most `most` blocks at once, and the ranges that it was asked for. */
function serving(logs: Served[], { most = 1_000, hash = hashOf } = {}) {
  const asked: string[] = [];
  const answer = ({ method, params: [param] = [] }: RpcRequest): unknown => {
    if (method === "eth_getBlockByNumber") {
      const number = param as Hex;
      return { number, hash: hash(Number(number)), parentHash: "0x", timestamp: number };
    }
    const { address: addresses, topics, fromBlock, toBlock } = param as Query;
    const [first, last] = [Number(fromBlock), Number(toBlock)];
    if (last - first + 1 > most) throw new RpcError("range", "too many blocks", { place: 0 });
    asked.push(`${addresses.map((one) => one[2]).join("")} ${first}-${last}`);
    return logs.flatMap((log, index) => {
      const { from, block } = log;
      const isMatch = addresses.includes(from) && topics[0].includes(log.topics[0] as Hex);
      if (!isMatch || block < first || block > last) return [];
      const place = { blockNumber: hex(block), blockHash: hashOf(block), logIndex: hex(index) };
      const rest = { transactionHash: "0x", transactionIndex: "0x0", data: "0x" };
      return [{ address: from, topics: log.topics, ...place, ...rest }];
    });
  };
  const client: ChainClient = {
    request: async (request) => answer(request),
    requestLogs: async (filter) => answer(logsRequest(filter)),
    requestUpTo: async (_upTo, requests) => requests.map(answer),
    requestAll: async (requests) => requests.map(answer),
    requestOptional: async (requests) => requests.map(answer),
    count: () => asked.length,
  };
  return { client, asked };
}

async function fetchAll(client: ChainClient, to: number, range: number | null = null): Promise<Page[]> {
  const followed = followContracts({
    contracts: null,
    escrows: [{ address: LISTED, startBlock: 0 }],
    escrowFactory: { address: FACTORY, startBlock: 0 },
    desk: null,
    holders: true,
  });
  const pages: Page[] = [];
  const parameters = {
    client,
    followed,
    ranges: createRanges(range),
    from: 0,
    to,
    ahead: 4,
    retryDelay: 1,
  };
  for await (const page of readPages(parameters)) pages.push(page);
  return pages;
}

/** The block and the contract of each log. */
const found = (pages: Page[]) =>
  pages.flatMap(({ logs }) => logs.map(({ block, address: at }) => `${block} ${at[2]}`));

describe("readPages", () => {
  it("brings the logs in the order of the chain, with the blocks that hold them alone", async () => {
    const { client, asked } = serving([repaid(LISTED, 3), repaid(LISTED, 3), repaid(LISTED, 17)]);
    const pages = await fetchAll(client, 19, 10);
    expect(found(pages)).toEqual(["3 1", "3 1", "17 1"]);
    expect(pages.map(({ to }) => to)).toEqual([9, 19]);
    expect(pages.map(({ blocks }) => [...blocks.keys()])).toEqual([[3], [17]]);
    expect(asked).toEqual(["12 0-9", "12 10-19"]);
  });

  it("asks for a contract again where it was announced meanwhile, also on the pages that were ahead", async () => {
    const { client, asked } = serving([repaid(CHILD, 4), deployed(5), repaid(CHILD, 5), repaid(CHILD, 25)]);
    expect(found(await fetchAll(client, 59, 10))).toEqual(["5 4", "25 4"]);
    expect(asked.filter((query) => query.startsWith("4 "))).toEqual([
      "4 0-9",
      "4 10-19",
      "4 20-29",
      "4 30-39",
    ]);
    expect(asked).toContain("124 50-59");
  });

  it("goes on until a page announces no more: an escrow, its listing, the listing's token", async () => {
    const { client } = serving([
      transferred(1),
      deployed(2),
      created(CHILD, 2),
      transferred(2),
      transferred(8),
    ]);
    expect(found(await fetchAll(client, 9))).toEqual(["2 4", "2 5", "8 5"]);
  });

  it("halves a range that is refused", async () => {
    const { client, asked } = serving([repaid(LISTED, 0), repaid(LISTED, 99)], { most: 30 });
    expect(found(await fetchAll(client, 99))).toEqual(["0 1", "99 1"]);
    expect(asked.toSorted()).toEqual(["12 0-24", "12 25-49", "12 50-74", "12 75-99"]);
  });

  it("refuses logs whose block has another hash", async () => {
    const { client } = serving([repaid(LISTED, 3)], { hash: () => pad("0x0") });
    await expect(fetchAll(client, 9)).rejects.toThrow(InconsistentChainError);
  });

  it("takes a block once more whose hash was another before", async () => {
    let asked = 0;
    const hash = (block: number) => {
      asked += 1;
      return asked === 1 ? pad("0x0") : hashOf(block);
    };
    const { client } = serving([repaid(LISTED, 3)], { hash });
    expect(found(await fetchAll(client, 9))).toEqual(["3 1"]);
  });
});
