/**
 * An in-memory JSON-RPC endpoint over a generated chain, as a process of its own: `chain-server.ts <events> <blocks>
 * <listings>`. Prints its port on one line.
 * @module
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { zeroHash } from "viem";
import { blockHash, blockTime, generateChain, type ServedBlock, transactionHash } from "./chain.ts";

const [events = 0, blocks = 0, listings = 0] = process.argv.slice(2).map(Number);
const chain = generateChain({ events, blocks, listings });
const head = chain.length - 1;

type Call = { id: unknown; method: string; params?: unknown[] };
type Filter = {
  address?: string | string[];
  topics?: (string | string[] | null)[];
  fromBlock?: string;
  toBlock?: string;
  blockHash?: string;
};

const BLOOM_OF_ALL = `0x${"f".repeat(512)}`;
const BLOOM_OF_NONE = `0x${"0".repeat(512)}`;
const ADDRESS = `0x${"aa".repeat(20)}`;
const hex = (number: number) => `0x${number.toString(16)}`;

function numberOf(place: unknown): number {
  if (typeof place !== "string" || !place.startsWith("0x")) return head;
  return Number(place);
}

function numberOfHash(hash: string): number {
  return Number.parseInt(hash.replace(/^0xb*/, ""), 16);
}

function blockJson(block: ServedBlock | undefined, isFull: boolean): string {
  if (block === undefined) return "null";
  const { number, logs, transactions } = block;
  const indexes = Array.from({ length: transactions }, (_, index) => index);
  return JSON.stringify({
    number: hex(number),
    hash: blockHash(number),
    parentHash: number === 0 ? zeroHash : blockHash(number - 1),
    timestamp: hex(blockTime(number)),
    logsBloom: logs.length > 0 ? BLOOM_OF_ALL : BLOOM_OF_NONE,
    miner: ADDRESS,
    gasUsed: "0x1",
    gasLimit: "0x1c9c380",
    baseFeePerGas: "0x0",
    nonce: "0x0000000000000000",
    mixHash: zeroHash,
    stateRoot: zeroHash,
    receiptsRoot: zeroHash,
    transactionsRoot: zeroHash,
    sha3Uncles: zeroHash,
    size: "0x1",
    difficulty: "0x0",
    totalDifficulty: "0x0",
    extraData: "0x",
    uncles: [],
    transactions: indexes.map((index) =>
      isFull ? transaction(number, index) : transactionHash(number, index),
    ),
  });
}

function transaction(block: number, index: number): object {
  return {
    hash: transactionHash(block, index),
    blockHash: blockHash(block),
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
    for (const log of chain[number]?.logs ?? []) {
      if (addresses?.has(log.address) === false || wanted?.has(log.topic) === false) continue;
      found.push(log.json);
    }
  }
  return `[${found.join(",")}]`;
}

function resultJson({ method, params = [] }: Call): string | null {
  if (method === "eth_chainId" || method === "net_version") return JSON.stringify(hex(97));
  if (method === "eth_blockNumber") return JSON.stringify(hex(head));
  if (method === "eth_getBlockByNumber") return blockJson(chain[numberOf(params[0])], params[1] === true);
  if (method === "eth_getBlockByHash") {
    return blockJson(chain[numberOfHash(String(params[0]))], params[1] === true);
  }
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
  const body = Buffer.from(Array.isArray(calls) ? `[${calls.map(answer).join(",")}]` : answer(calls));
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
});
server.keepAliveTimeout = 0;
server.listen(0, "127.0.0.1", () => console.log(String((server.address() as AddressInfo).port)));
