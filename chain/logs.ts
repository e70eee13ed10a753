/**
 * The logs of a range of blocks, in requests as wide as the endpoints take them, and checked before any of them counts. A log is
 * identified by its block and its index in it: two logs with one index would be counted as one, and a log without an index would
 * take the place of the first.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "viem";
import { ADDRESSES_PER_REQUEST } from "../config/sources.ts";
import { RpcError } from "./call.ts";
import { type ChainClient, EndpointsSilentError } from "./client.ts";
import type { Ranges } from "./limits.ts";

/** A log as endpoints return it: numbers in hex. */
type RawLog = {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: Hex;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly transactionIndex: Hex;
  readonly logIndex: Hex;
};

/** A log with its numbers, and its address and first topic in lowercase. */
export type Log = {
  readonly raw: RawLog;
  readonly address: Hex;
  readonly topic: Hex | undefined;
  readonly block: number;
  readonly transactionIndex: number;
  readonly logIndex: number;
};

/** The endpoints contradict each other or themselves. */
export class InconsistentChainError extends Error {
  override readonly name = "InconsistentChainError";
}

export type LogsQuery = {
  addresses: readonly string[];
  /** what the first topic may be; none: anything */
  topics: readonly (Hex | undefined)[];
  /** the first and the last block */
  from: number;
  to: number;
  ranges: Ranges;
  /** milliseconds until refused logs of a single block, or what was inconsistent, are asked for again */
  retryDelay?: number;
  signal?: AbortSignal;
};

export const ATTEMPTS = 5;
export const RETRY_DELAY = 1_000;

/**
 * The logs of these blocks, in the order of the chain; a range that is refused is halved.
 * @throws {EndpointsSilentError}
 * @throws {RpcError} when every endpoint refuses the logs of a single block
 * @throws {InconsistentChainError}
 */
export async function readLogs(client: ChainClient, query: LogsQuery): Promise<Log[]> {
  const { addresses, topics, ranges, retryDelay = RETRY_DELAY, signal } = query;
  const readFrom = async (address: readonly string[], from: number, to: number): Promise<Log[]> => {
    const blocks = to - from + 1;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const first = topics.length === 0 ? [] : [topics];
        const answer = await client.requestLogs({ address, topics: first, from, to }, signal);
        const logs = logsWithin(answer, from, to);
        ranges.took(blocks, logs.length);
        return logs;
      } catch (error) {
        // No smaller range brings back what is pruned.
        if (!isRefusal(error) || signal?.aborted || (error as RpcError).kind === "pruned") throw error;
        if (blocks > 1) {
          ranges.refused(blocks);
          const middle = from + Math.floor(blocks / 2);
          const halves = [readFrom(address, from, middle - 1), readFrom(address, middle, to)];
          return (await Promise.all(halves)).flat();
        }
        if (attempt === ATTEMPTS) throw error;
        await sleep(retryDelay);
      }
    }
  };
  const parts: Promise<Log[]>[] = [];
  for (let first = 0; first < addresses.length; first += ADDRESSES_PER_REQUEST)
    parts.push(readFrom(addresses.slice(first, first + ADDRESSES_PER_REQUEST), query.from, query.to));
  return inOrder((await Promise.all(parts)).flat());
}

/** Endpoints limit blocks or results, each in its own words: any refusal may be of the range. */
export function isRefusal(error: unknown): boolean {
  return error instanceof RpcError && !(error instanceof EndpointsSilentError);
}

function logsWithin(answer: unknown, from: number, to: number): Log[] {
  const logs = parseLogs(answer);
  const stray = logs.find(({ block }) => block < from || block > to);
  if (stray === undefined) return logs;
  throw new InconsistentChainError(
    `eth_getLogs returned a log of block ${stray.block} for the blocks ${from} to ${to}`,
  );
}

const QUANTITY = /^0x[0-9a-f]+$/i;
const ADDRESS = /^0x[0-9a-f]{40}$/i;

/** @throws {InconsistentChainError} unless each log has its place in a block */
export function parseLogs(answer: unknown): Log[] {
  if (!Array.isArray(answer))
    throw new InconsistentChainError("eth_getLogs was answered with something else than a list");
  return answer.map(parseLog);
}

function parseLog(value: unknown): Log {
  const raw = (typeof value === "object" && value !== null ? value : {}) as Partial<RawLog>;
  const removed = (raw as { removed?: unknown }).removed;
  for (const field of ["blockNumber", "transactionIndex", "logIndex"] as const)
    if (typeof raw[field] !== "string" || !QUANTITY.test(raw[field])) throw misfit(raw, field, raw[field]);
  if (typeof raw.address !== "string" || !ADDRESS.test(raw.address))
    throw misfit(raw, "address", raw.address);
  for (const field of ["blockHash", "transactionHash", "data"] as const)
    if (typeof raw[field] !== "string") throw misfit(raw, field, raw[field]);
  if (!Array.isArray(raw.topics) || raw.topics.some((topic) => typeof topic !== "string"))
    throw misfit(raw, "topics", raw.topics);
  // Logs of this kind are announced over subscriptions when their block is gone; they are no part of the chain.
  if (removed === true) throw misfit(raw, "removed", removed);
  const sound = raw as RawLog;
  return {
    raw: sound,
    address: sound.address.toLowerCase() as Hex,
    topic: sound.topics[0]?.toLowerCase() as Hex | undefined,
    block: Number(sound.blockNumber),
    transactionIndex: Number(sound.transactionIndex),
    logIndex: Number(sound.logIndex),
  };
}

function misfit({ blockNumber }: Partial<RawLog>, field: string, value: unknown): InconsistentChainError {
  const said = (JSON.stringify(value) ?? "missing").slice(0, 80);
  const where =
    typeof blockNumber === "string" && QUANTITY.test(blockNumber) ? Number(blockNumber) : "unknown";
  return new InconsistentChainError(
    `eth_getLogs returned a log (block ${where}) that cannot be used: its ${field} is ${said}`,
  );
}

/**
 * In the order of the chain, identical logs once.
 * @throws {InconsistentChainError} where two logs have one place, or a later transaction has an earlier log
 */
export function inOrder(logs: readonly Log[]): Log[] {
  const sorted = logs.toSorted(
    (a, b) => a.block - b.block || a.logIndex - b.logIndex || a.transactionIndex - b.transactionIndex,
  );
  return sorted.filter((log, index) => {
    const before = sorted[index - 1];
    if (before === undefined || before.block !== log.block) return true;
    if (before.logIndex === log.logIndex) {
      if (contentOf(before) === contentOf(log)) return false;
      throw sharedIndex(log);
    }
    if (before.transactionIndex > log.transactionIndex) {
      const said = `log ${before.logIndex} is of transaction ${before.transactionIndex}, log ${log.logIndex} of ${log.transactionIndex}`;
      throw new InconsistentChainError(`the logs of block ${log.block} are numbered wrongly: ${said}`);
    }
    return true;
  });
}

export function sharedIndex({ block, logIndex }: Log): InconsistentChainError {
  return new InconsistentChainError(
    `two different logs of block ${block} have the index ${logIndex}: ` +
      "events would be lost. Take the endpoint out of RPC_URLS, or ask its operator: logIndex must be unique within a block",
  );
}

/** All that identifies a log besides its index. */
export function contentOf({ raw, address, transactionIndex }: Log): string {
  const { blockHash, transactionHash, topics, data } = raw;
  return [blockHash, transactionHash, transactionIndex, address, ...topics, data].join(" ").toLowerCase();
}
