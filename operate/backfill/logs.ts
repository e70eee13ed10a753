/**
 * Logs as endpoints return them, checked before any of them counts. Everything here identifies a log by its block and its index in it:
 * two logs with one index would be counted as one, and a log without an index would take the place of the first.
 * @module
 */
import type { Hex } from "viem";
import type { Log, RawLog } from "./followed.ts";

/** The endpoints contradict each other or themselves. */
export class InconsistentChainError extends Error {
  override readonly name = "InconsistentChainError";
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
  if (!Array.isArray(raw.topics)) throw misfit(raw, "topics", raw.topics);
  // Logs of this kind are announced over subscriptions when their block is gone; they are no part of the chain.
  if (removed === true) throw misfit(raw, "removed", removed);
  const sound = raw as RawLog;
  return {
    raw: sound,
    address: sound.address.toLowerCase() as Hex,
    topic: sound.topics[0],
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
