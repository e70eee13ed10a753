/**
 * A JSON-RPC endpoint over a generated chain, as a separate process: `chain-server.ts <events> <blocks> <listings>`, or
 * `chain-server.ts million <raises>`. It shares the processor with what is measured, so it makes the JSON of its answers beforehand.
 * Prints its port on one line, and tells on `bench_asked` how much it was asked.
 * @module
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Hex, zeroHash } from "viem";
import type { RpcLog } from "../chain/raw-blocks.ts";
import { generateChain, servedBlock } from "./chain.ts";
import { createTexts } from "./harness/texts.ts";
import { millionChain } from "./million/chain.ts";

type Call = { id: unknown; method: string; params?: unknown[] };
type Filter = {
  address?: string | string[];
  topics?: (string | string[] | null)[];
  fromBlock?: string;
  toBlock?: string;
  blockHash?: string;
};
type FilteredLog = Pick<RpcLog, "address" | "topics">;
type Piece = string | Buffer;

const ADDRESS = `0x${"aa".repeat(20)}`;
const hex = (number: number) => `0x${number.toString(16)}`;

const [first = "", ...others] = process.argv.slice(2);
const [events = 0, blocks = 0, listings = 0] = [first, ...others].map(Number);
const chain =
  first === "million" ? millionChain(Number(others[0])) : generateChain({ events, blocks, listings });
const { head, finalized } = chain;
/** A text for each block, up to its transactions. */
const headers = createTexts();
/** A text for each transaction, after a comma. A receipt's goes up to its logs, which are the last text. */
const [hashes, transactions, receipts, logs] = [createTexts(), createTexts(), createTexts(), createTexts()];
/** The transactions before each block, and all of them. */
const before = [0];
const numbers = new Map<string, number>();
/** Each address with each event that it has emitted. */
const emitted = new Map<string, FilteredLog>();
/** The address and event of each transaction's logs; null where they differ. */
const emitters: (string | null)[] = [];
/** The requests so far. */
const asked = { calls: 0, bytes: 0 };

let parentHash: Hex = zeroHash;
for (let number = 0; number <= head; number += 1) {
  const placed = chain.logsIn(number);
  const block = servedBlock({ number, placed, parentHash, time: chain.timeOf(number) });
  parentHash = block.header.hash;
  numbers.set(parentHash, number);
  before.push((before.at(-1) ?? 0) + block.receipts.length);
  headers.add(opened({ ...block.header, size: "0x1", totalDifficulty: "0x0", uncles: [] }, "transactions"));
  for (const { logs: own, ...receipt } of block.receipts) {
    const { transactionHash, transactionIndex } = receipt;
    const place = { blockNumber: block.header.number, blockHash: parentHash, transactionIndex };
    const whole = own.map((log) => ({ ...log, ...place, transactionHash, removed: false }));
    hashes.add(`,"${transactionHash}"`);
    transactions.add(`,${JSON.stringify({ ...place, ...transaction(transactionHash, transactionIndex) })}`);
    receipts.add(`,${opened({ ...place, ...receipt }, "logs")}`);
    logs.add(whole.map((log) => `,${JSON.stringify(log)}`).join(""));
    const keys = new Set(own.map(keyOf));
    emitters.push(keys.size === 1 ? ([...keys][0] ?? null) : null);
  }
  for (const { address, topics } of placed)
    emitted.set(keyOf({ address, topics }), { address, topics: topics.slice(0, 1) });
}

function keyOf({ address, topics }: FilteredLog): string {
  return `${address}${topics[0]}`;
}

function transaction(hash: Hex, nonce: Hex): object {
  return {
    ...{ hash, from: ADDRESS, to: ADDRESS, input: "0x", value: "0x0", nonce, r: zeroHash, s: zeroHash },
    ...{ v: "0x0", type: "0x0", gas: "0x5208", gasPrice: "0x0" },
  };
}

/** The JSON of an object with one more field, up to the value of that. */
function opened(fields: object, name: string): string {
  return `${JSON.stringify(fields).slice(0, -1)},"${name}":`;
}

function numberOf(place: unknown): number {
  if (place === "finalized" || place === "safe") return finalized;
  if (typeof place !== "string" || !place.startsWith("0x")) return head;
  return Number(place);
}

function numberOfHash(hash: unknown): number {
  return numbers.get(String(hash)) ?? Number.NaN;
}

function listOf(texts: Buffer): Piece[] {
  return ["[", texts.subarray(1), "]"];
}

function blockJson(number: number, isFull: boolean): Piece[] {
  const [from, to] = [before[number], before[number + 1]];
  if (from === undefined || to === undefined) return ["null"];
  const list = listOf((isFull ? transactions : hashes).read(from, to));
  return [headers.read(number, number + 1), ...list, "}"];
}

function receiptsJson(number: number): Piece[] {
  const [from, to] = [before[number], before[number + 1]];
  if (from === undefined || to === undefined) return ["null"];
  const found: Piece[] = [];
  for (let at = from; at < to; at += 1)
    found.push(
      receipts.read(at, at + 1).subarray(at === from ? 1 : 0),
      ...listOf(logs.read(at, at + 1)),
      "}",
    );
  return ["[", ...found, "]"];
}

function logsJson({ address, topics, fromBlock, toBlock, blockHash }: Filter): Piece[] {
  const first = blockHash === undefined ? numberOf(fromBlock) : numberOfHash(blockHash);
  const last = blockHash === undefined ? Math.min(numberOf(toBlock), head) : first;
  if (!(first <= last)) return ["[]"];
  const addresses = address === undefined ? null : [address].flat().map((one) => one.toLowerCase());
  const isWanted = (log: FilteredLog) =>
    addresses?.includes(log.address) !== false &&
    (topics ?? []).every((wanted, at) => wanted === null || [wanted].flat().includes(log.topics[at] ?? ""));
  // The checks before a start ask for logs that do not exist.
  const [topic, ...others] = topics ?? [];
  const isPossible = ({ address, topics: [own] }: FilteredLog) =>
    addresses?.includes(address) !== false && (topic == null || [topic].flat().some((one) => one === own));
  const possible = [...emitted].filter(([, log]) => isPossible(log)).map(([key]) => key);
  if (possible.length === 0) return ["[]"];
  const [from, to] = [before[first] ?? 0, before[last + 1] ?? 0];
  const isSimple = others.every((wanted) => wanted === null);
  if (isSimple && possible.length === emitted.size) return listOf(logs.read(from, to));
  if (isSimple && !emitters.includes(null)) {
    const keys = new Set(possible);
    return listOf(Buffer.concat(logs.each(from, to).filter((_, at) => keys.has(emitters[from + at] ?? ""))));
  }
  const list = listOf(logs.read(from, to));
  return [JSON.stringify((JSON.parse(list.join("")) as RpcLog[]).filter(isWanted))];
}

function resultJson({ method, params = [] }: Call): Piece[] | null {
  if (method === "eth_chainId" || method === "net_version") return [JSON.stringify(hex(97))];
  if (method === "eth_getCode") return [JSON.stringify("0x00")];
  if (method === "eth_blockNumber") return [JSON.stringify(hex(head))];
  if (method === "eth_getBlockByNumber") return blockJson(numberOf(params[0]), params[1] === true);
  if (method === "eth_getBlockByHash") return blockJson(numberOfHash(params[0]), params[1] === true);
  if (method === "eth_getBlockReceipts") return receiptsJson(numberOf(params[0]));
  if (method === "bench_asked") return [JSON.stringify(asked)];
  if (method === "eth_getLogs") return logsJson(params[0] as Filter);
  return null;
}

function answer(call: Call): Piece[] {
  const result = resultJson(call);
  const start = `{"jsonrpc":"2.0","id":${JSON.stringify(call.id)}`;
  if (result === null) return [`${start},"error":{"code":-32601,"message":"no method ${call.method}"}}`];
  return [`${start},"result":`, ...result, "}"];
}

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const calls = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
  asked.calls += [calls].flat().length;
  const pieces = Array.isArray(calls)
    ? ["[", ...calls.flatMap((call, at) => [at === 0 ? "" : ",", ...answer(call)]), "]"]
    : answer(calls);
  const body = Buffer.concat(pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece)));
  asked.bytes += body.length;
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
});
server.keepAliveTimeout = 0;
server.listen(0, "127.0.0.1", () => console.log(String((server.address() as AddressInfo).port)));
