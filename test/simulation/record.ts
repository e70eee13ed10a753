/** @module Every block and log of every version of the chain that there was in a run, read from the chain itself as blocks are mined. */
import { createPublicClient, type Hex, http, numberToHex, type PublicClient } from "viem";
import type { RawLog } from "../model/chain-log.ts";

type WireBlock = {
  hash: Hex;
  parentHash: Hex;
  number: Hex;
  timestamp: Hex;
  transactions: { hash: Hex }[];
};
type WireLog = RawLog & { blockHash: Hex; blockNumber: Hex; logIndex: Hex };

export type RecordedBlock = {
  hash: Hex;
  number: bigint;
  /** unix seconds */
  timestamp: bigint;
  /** as the node gave it, with whole transactions */
  wire: WireBlock;
  logs: readonly WireLog[];
  parent: RecordedBlock | null;
  /** `performance.now()` when it was recorded */
  since: number;
};

export type ChainRecord = {
  /** Reads what is new, up to the chain's head. */
  follow(): Promise<RecordedBlock>;
  /** the head when it was last followed */
  head(): RecordedBlock;
  /** all blocks there ever were with that number, of every version */
  numbered(number: bigint): readonly RecordedBlock[];
};

export function createRecord(rpcUrl: string): ChainRecord {
  const client = createPublicClient({ transport: http(rpcUrl, { batch: true }), cacheTime: 0 });
  const known = new Map<Hex, RecordedBlock>();
  const byNumber = new Map<bigint, RecordedBlock[]>();
  let head: RecordedBlock | undefined;

  const follow = async () => {
    const fresh: WireBlock[] = [];
    let wire = await readBlock(client, "latest");
    while (!known.has(wire.hash)) {
      fresh.push(wire);
      if (BigInt(wire.number) === 0n) break;
      if (known.has(wire.parentHash)) break;
      wire = await readBlock(client, numberToHex(BigInt(wire.number) - 1n));
    }
    const tip = fresh[0] ?? wire;
    const logs = await Promise.all(fresh.map(({ hash }) => readLogs(client, hash)));
    for (const [index, block] of [...fresh.entries()].reverse()) {
      const number = BigInt(block.number);
      const recorded: RecordedBlock = {
        hash: block.hash,
        number,
        timestamp: BigInt(block.timestamp),
        wire: block,
        logs: logs[index] ?? [],
        parent: known.get(block.parentHash) ?? null,
        since: performance.now(),
      };
      known.set(block.hash, recorded);
      byNumber.set(number, [...(byNumber.get(number) ?? []), recorded]);
    }
    head = known.get(tip.hash);
    if (head === undefined) throw new Error("the chain changed while it was read");
    return head;
  };
  return {
    follow,
    head() {
      if (head === undefined) throw new Error("nothing was recorded yet");
      return head;
    },
    numbered: (number) => byNumber.get(number) ?? [],
  };
}

/** The chain that ends with a block, from its beginning. */
export function chainTo(tip: RecordedBlock): RecordedBlock[] {
  const blocks: RecordedBlock[] = [];
  for (let block: RecordedBlock | null = tip; block !== null; block = block.parent) blocks.push(block);
  return blocks.reverse();
}

/** The block this many before it, or the first. */
export function ancestorOf(block: RecordedBlock, depth: number): RecordedBlock {
  let found = block;
  for (let above = 0; above < depth && found.parent !== null; above++) found = found.parent;
  return found;
}

type Request = { method: string; params?: unknown[] };
type LogFilter = {
  address?: Hex | Hex[];
  topics?: (Hex | Hex[] | null)[];
  fromBlock?: string;
  toBlock?: string;
  blockHash?: Hex;
};

/** The answers of a node for which one block is the newest there is and another one final; undefined where it answers like any other. */
export function nodeAt(tip: RecordedBlock, final: RecordedBlock): (request: Request) => unknown {
  const blocks = chainTo(tip);
  const numberOf = (tag: unknown): bigint =>
    tag === "finalized"
      ? final.number
      : tag === "earliest"
        ? 0n
        : typeof tag === "string" && tag.startsWith("0x")
          ? BigInt(tag)
          : tip.number;
  // Behind a load balancer the final block may be one of another fork than the head.
  const blockAt = (tag: unknown) => (tag === "finalized" ? final : blocks[Number(numberOf(tag))]);
  const logsFor = (filter: LogFilter) => {
    if (filter.blockHash !== undefined) {
      const block = blocks.find(({ hash }) => hash === filter.blockHash);
      if (block === undefined) throw new Error("unknown block");
      return block.logs.filter((log) => matches(log, filter));
    }
    const [from, to] = [numberOf(filter.fromBlock), numberOf(filter.toBlock)];
    return blocks
      .filter(({ number }) => number >= from && number <= to)
      .flatMap(({ logs }) => logs.filter((log) => matches(log, filter)));
  };
  return ({ method, params = [] }) => {
    if (method === "eth_blockNumber") return numberToHex(tip.number);
    if (method === "eth_getBlockByNumber") return shown(blockAt(params[0]), params[1]);
    if (method === "eth_getBlockByHash")
      return shown(
        blocks.find(({ hash }) => hash === params[0]),
        params[1],
      );
    if (method === "eth_getLogs") return logsFor(params[0] as LogFilter);
    return undefined;
  };
}

function shown(block: RecordedBlock | undefined, isWhole: unknown): unknown {
  if (block === undefined) return null;
  const { wire } = block;
  return isWhole ? wire : { ...wire, transactions: wire.transactions.map(({ hash }) => hash) };
}

function matches(log: WireLog, { address, topics = [] }: LogFilter): boolean {
  const addresses = address === undefined ? null : [address].flat().map((one) => one.toLowerCase());
  if (addresses !== null && !addresses.includes(log.address.toLowerCase())) return false;
  return topics.every((topic, index) => {
    const own = log.topics[index];
    return topic === null || (own !== undefined && [topic].flat().includes(own));
  });
}

async function readBlock(client: PublicClient, which: Hex | "latest"): Promise<WireBlock> {
  const block = await client.request({ method: "eth_getBlockByNumber", params: [which, true] });
  if (block === null) throw new Error(`the chain has no block ${which}`);
  return block as WireBlock;
}

async function readLogs(client: PublicClient, blockHash: Hex): Promise<WireLog[]> {
  return (await client.request({ method: "eth_getLogs", params: [{ blockHash }] })) as WireLog[];
}
