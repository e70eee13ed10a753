/**
 * Proves that the logs of a block are all of it. The hash of a block is that of its header, the header has the root of the receipts,
 * and the receipts have every log: nothing can be left out without another root.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "viem";
import { mayHold } from "./bloom.ts";
import { blockRequest, RpcError } from "./call.ts";
import type { ChainClient } from "./client.ts";
import { blocksUpTo } from "./final-blocks.ts";
import { encodeHeader } from "./header.ts";
import { type Log, parseLogs } from "./logs.ts";
import type { RpcBlock, RpcReceipt } from "./raw-blocks.ts";
import { encodeReceipt, receiptsRoot } from "./receipts.ts";

/** A block as an endpoint gives it, with the hashes of its transactions. What is missing of it cannot be proven. */
type GivenBlock = { readonly number: Hex; readonly hash: Hex };

/** All logs with the wanted topics of each block that is proven, by its number. */
export type ProvenLogs = ReadonlyMap<number, readonly Log[]>;

export type Prover = {
  /** Rejects only where the endpoints are silent, or at the signal. */
  prove(blocks: Iterable<GivenBlock>, signal?: AbortSignal): Promise<ProvenLogs>;
  /** The blocks of a range, both ends included, that may have logs with the wanted topics, by their headers. */
  candidates(from: number, to: number, signal?: AbortSignal): Promise<GivenBlock[]>;
};

export type ProverParameters = {
  client: Pick<ChainClient, "requestAll" | "requestUpTo" | "requestOptional">;
  /** the topics of the logs that may count, whatever their address */
  topics: readonly (Hex | undefined)[];
  /** milliseconds until receipts that are not those of the block are asked for again */
  retryDelay?: number;
};

/** One endpoint of several may be behind, or wrong. */
const ATTEMPTS = 3;
const RETRY_DELAY = 500;
const HEADERS_AT_ONCE = 1_000;
/** Milliseconds after which receipts are asked for together again where only single ones were given. */
const ONE_BY_ONE_FOR = 600_000;

export function createProver({ client, topics, retryDelay = RETRY_DELAY }: ProverParameters): Prover {
  const wanted = new Set(topics);
  const wantedTopics = topics.filter((topic) => topic !== undefined);
  /** Whether an endpoint has given the receipts of a block together. */
  let areTogether = false;
  /** `performance.now()` until which only single ones are asked for. */
  let oneByOneUntil = Number.NEGATIVE_INFINITY;
  /** Whether headers of this chain can be hashed here; null before one was seen. */
  let areHashed: boolean | null = null;

  const together = (blocks: readonly RpcBlock[], signal?: AbortSignal) =>
    client.requestOptional(
      blocks.map(({ number }) => ({ method: "eth_getBlockReceipts", params: [number] })),
      signal,
    );
  const oneByOne = (block: RpcBlock, signal?: AbortSignal) =>
    client.requestOptional(
      (block.transactions ?? []).map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] })),
      signal,
    );
  /** Null where they are refused. */
  const receiptsOfOne = async (block: RpcBlock, signal?: AbortSignal): Promise<unknown> => {
    if (performance.now() < oneByOneUntil) return oneByOne(block, signal).catch(nullIfRequestRefused);
    const answer = await together([block], signal).catch(requestRefusal);
    if (!(answer instanceof RpcError)) {
      areTogether = true;
      return answer[0];
    }
    if (areTogether) return null;
    const receipts = (await oneByOne(block, signal).catch(nullIfRequestRefused)) ?? [];
    // The refusal may be of this block alone.
    const isOfMethod = answer.kind !== "pruned" && receipts.length > 0 && !receipts.includes(null);
    if (isOfMethod) oneByOneUntil = performance.now() + ONE_BY_ONE_FOR;
    return receipts;
  };
  /** In the order of the blocks; null where they are refused. */
  const receiptsOf = async (blocks: readonly RpcBlock[], signal?: AbortSignal): Promise<unknown[]> => {
    const each = (of: readonly RpcBlock[]) => Promise.all(of.map((block) => receiptsOfOne(block, signal)));
    if (areTogether)
      // One that is refused, such as of a block before those that an endpoint keeps, says nothing of the others.
      return together(blocks, signal).catch((error) => {
        nullIfRequestRefused(error);
        return each(blocks);
      });
    // The first block shows whether receipts come together, which holds for the others.
    const [first, ...others] = blocks;
    if (first === undefined) return [];
    const receipts = await receiptsOfOne(first, signal);
    return [receipts, ...(areTogether ? await receiptsOf(others, signal) : await each(others))];
  };

  /** The headers of the blocks. One that does not hash to its hash is asked for again, at another endpoint if there is one. */
  const headersOf = async (given: readonly GivenBlock[], signal?: AbortSignal): Promise<RpcBlock[]> => {
    const headers: RpcBlock[] = [];
    const others = new Map<Hex, Hex>();
    for (const block of given) {
      if (isHeader(block)) headers.push(block);
      else others.set(block.number, block.hash);
    }
    if (headers.length > 0) areHashed = true;
    if (others.size === 0 || areHashed === false) return headers;
    const requests = [...others.keys()].map((number) => blockRequest(Number(number)));
    const answers =
      (await client.requestOptional(requests, signal, isHeader).catch(nullIfRequestRefused)) ?? [];
    areHashed ??= answers.length > 0;
    return [
      ...headers,
      ...answers.filter(isHeader).filter(({ number, hash }) => others.get(number) === hash),
    ];
  };

  return {
    async prove(given, signal) {
      const proven = new Map<number, readonly Log[]>();
      let open = await headersOf([...given], signal);
      for (let attempt = 1; open.length > 0 && attempt <= ATTEMPTS; attempt += 1) {
        if (attempt > 1) await sleep(retryDelay, undefined, { signal });
        const receipts = await receiptsOf(open, signal);
        open = open.filter((block, index) => {
          const logs = logsIn(block, receipts[index], wanted);
          if (logs !== null) proven.set(Number(block.number), logs);
          return logs === null;
        });
      }
      return proven;
    },
    async candidates(from, to, signal) {
      const found: GivenBlock[] = [];
      for (let first = from; first <= to; first += HEADERS_AT_ONCE) {
        const length = Math.min(HEADERS_AT_ONCE, to - first + 1);
        const numbers = Array.from({ length }, (_, index) => first + index);
        for (const block of await blocksUpTo(client, { numbers, upTo: to, signal })) {
          const { logsBloom } = (block ?? {}) as Partial<RpcBlock>;
          // One whose header is not known to be its own may have anything.
          if (logsBloom === undefined || !isHeader(block) || mayHold(logsBloom, wantedTopics))
            found.push(block as GivenBlock);
        }
      }
      return found.filter((block) => block !== null);
    },
  };
}

/** Whether the header hashes to the block's hash. */
export function isHeader(block: unknown): block is RpcBlock {
  try {
    encodeHeader(block as RpcBlock);
    return true;
  } catch {
    return false;
  }
}

/** The wanted logs; null unless these are all receipts of the block. */
function logsIn(block: RpcBlock, answer: unknown, wanted: ReadonlySet<Hex | undefined>): Log[] | null {
  try {
    const receipts = answer as RpcReceipt[];
    if (receiptsRoot(receipts.map(encodeReceipt)) !== block.receiptsRoot) return null;
    const raw = receipts.flatMap(({ logs }) =>
      logs.filter(({ topics }) => wanted.has(topics[0]?.toLowerCase() as Hex)),
    );
    const logs = parseLogs(raw);
    return logs.every((log) => log.raw.blockHash === block.hash) ? logs : null;
  } catch {
    // Not an answer to the question.
    return null;
  }
}

/** For `catch`: the refusal of a request. What failed as a whole, such as for its rate, is thrown again. */
function requestRefusal(error: unknown): RpcError {
  if (error instanceof RpcError && error.place !== null) return error;
  throw error;
}

function nullIfRequestRefused(error: unknown): null {
  requestRefusal(error);
  return null;
}
