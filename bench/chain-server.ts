/**
 * An in-memory JSON-RPC endpoint over a generated chain, as a process of its own: `chain-server.ts <events> <blocks>
 * <listings>`, or `chain-server.ts million <raises>`. Prints its port on one line, and tells on `bench_asked` how much it was asked.
 * @module
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { zeroHash } from "viem";
import { generateChain, type ServedBlock, type ServedChain, transactionHash } from "./chain.ts";
import { lazyChain } from "./million/chain.ts";

const chain = chainOf(process.argv.slice(2));
const { head, finalized } = chain;
const numbers = new Map<string, number>([...chain.hashes()].map((hash, number) => [hash, number]));
/** What was asked for since it was last told. */
const asked = { calls: 0, bytes: 0 };

type Call = { id: unknown; method: string; params?: unknown[] };
type Filter = {
  address?: string | string[];
  topics?: (string | string[] | null)[];
  fromBlock?: string;
  toBlock?: string;
  blockHash?: string;
};

function chainOf([first, ...others]: string[]): ServedChain {
  if (first === "million") return lazyChain(Number(others[0]));
  const [events = 0, blocks = 0, listings = 0] = [first, ...others].map(Number);
  const made = generateChain({ events, blocks, listings });
  return {
    head: made.length - 1,
    finalized: made.length - 1,
    at: (number) => made[number],
    hashes: () => made.map(({ header }) => header.hash),
  };
}

const ADDRESS = `0x${"aa".repeat(20)}`;
const hex = (number: number) => `0x${number.toString(16)}`;

function numberOf(place: unknown): number {
  if (place === "finalized" || place === "safe") return finalized;
  if (typeof place !== "string" || !place.startsWith("0x")) return head;
  return Number(place);
}

function numberOfHash(hash: string): number {
  return numbers.get(hash) ?? Number.NaN;
}

function blockJson(block: ServedBlock | undefined, isFull: boolean): string {
  if (block === undefined) return "null";
  const { number, header, logs } = block;
  const count = logs.length === 0 ? 0 : Number(JSON.parse(logs.at(-1)?.json ?? "{}").transactionIndex) + 1;
  const indexes = Array.from({ length: count }, (_, index) => index);
  return JSON.stringify({
    ...header,
    ...{ size: "0x1", totalDifficulty: "0x0", uncles: [] },
    transactions: indexes.map((index) =>
      isFull ? transaction(number, header.hash, index) : transactionHash(number, index),
    ),
  });
}

function transaction(block: number, blockHash: string, index: number): object {
  return {
    hash: transactionHash(block, index),
    blockHash,
    blockNumber: hex(block),
    transactionIndex: hex(index),
    from: ADDRESS,
    to: ADDRESS,
    input: "0x",
    value: "0x0",
    nonce: hex(index),
    r: zeroHash,
    s: zeroHash,
    v: "0x0",
    type: "0x0",
    gas: "0x5208",
    gasPrice: "0x0",
  };
}

function logsJson({ address, topics, fromBlock, toBlock, blockHash: hash }: Filter): string {
  const first = hash === undefined ? numberOf(fromBlock) : numberOfHash(hash);
  const last = hash === undefined ? Math.min(numberOf(toBlock), head) : first;
  const addresses = address === undefined ? null : new Set([address].flat().map((one) => one.toLowerCase()));
  const topic0 = topics?.[0];
  const wanted = topic0 === undefined || topic0 === null ? null : new Set([topic0].flat());
  const found: string[] = [];
  for (let number = first; number <= last; number += 1) {
    for (const log of chain.at(number)?.logs ?? []) {
      if (addresses?.has(log.address) === false || wanted?.has(log.topic) === false) continue;
      found.push(log.json);
    }
  }
  return `[${found.join(",")}]`;
}

function resultJson({ method, params = [] }: Call): string | null {
  if (method === "eth_chainId" || method === "net_version") return JSON.stringify(hex(97));
  if (method === "eth_getCode") return JSON.stringify("0x00");
  if (method === "eth_blockNumber") return JSON.stringify(hex(head));
  if (method === "eth_getBlockByNumber") return blockJson(chain.at(numberOf(params[0])), params[1] === true);
  if (method === "eth_getBlockByHash") {
    return blockJson(chain.at(numberOfHash(String(params[0]))), params[1] === true);
  }
  if (method === "eth_getBlockReceipts") return chain.at(numberOf(params[0]))?.receipts ?? "null";
  if (method === "bench_asked") return JSON.stringify(asked);
  if (method === "eth_getLogs") return logsJson(params[0] as Filter);
  return null;
}

function answer(call: Call): string {
  const result = resultJson(call);
  const id = JSON.stringify(call.id);
  if (result === null) {
    return `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"no method ${call.method}"}}`;
  }
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
}

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const calls = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
  asked.calls += [calls].flat().length;
  const body = Buffer.from(Array.isArray(calls) ? `[${calls.map(answer).join(",")}]` : answer(calls));
  asked.bytes += body.length;
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
});
server.keepAliveTimeout = 0;
server.listen(0, "127.0.0.1", () => console.log(String((server.address() as AddressInfo).port)));
