/**
 * Logs of contracts, by calls as wide as an endpoint takes them.
 * @module
 */
import type { Hex } from "viem";
import type { ChainNode } from "../daemon/check-chain.ts";
import { callRpc, RpcError } from "../daemon/json-rpc.ts";

export type RawLog = { address: Hex; topics: [Hex, ...Hex[]]; data: Hex; blockNumber: Hex; logIndex: Hex };

export type LogSource = ChainNode & { readonly blocksPerCall: number };

export type LogQuery = {
  readonly address: readonly string[];
  /** the first topic is one of these; default: any */
  readonly kinds?: readonly string[];
  readonly from: number;
  readonly to: number;
  /** calls after which it ends; what is not reached is not told */
  readonly mostCalls: number;
  /** whether the first call that finds some is the last one */
  readonly untilFound?: boolean;
};

/** Calls at the same time. */
const AT_A_TIME = 4;

/** In the order of the chain, and the block up to which there are no others. @throws {RpcError} */
export async function readLogs(
  source: LogSource,
  query: LogQuery,
): Promise<{ logs: RawLog[]; upTo: number }> {
  const { blocksPerCall } = source;
  const logs: RawLog[] = [];
  let from = query.from;
  for (let calls = 0; from <= query.to && calls < query.mostCalls; ) {
    const starts = Array.from(
      { length: query.untilFound ? 1 : AT_A_TIME },
      (_, index) => from + index * blocksPerCall,
    ).filter((start) => start <= query.to);
    const parts = starts.map((start) =>
      logsBetween(source, query, start, Math.min(query.to, start + blocksPerCall - 1)),
    );
    logs.push(...(await Promise.all(parts)).flat());
    calls += starts.length;
    from += starts.length * blocksPerCall;
    if (query.untilFound && logs.length > 0) break;
  }
  return { logs, upTo: Math.min(query.to, from - 1) };
}

/** Endpoints limit results too, so a range that is refused is halved. */
async function logsBetween(source: LogSource, query: LogQuery, from: number, to: number): Promise<RawLog[]> {
  const { url, timeout } = source;
  const { address, kinds } = query;
  const topics = kinds === undefined ? [] : [kinds];
  const params = [{ address, topics, fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` }];
  try {
    return (await callRpc({ url, method: "eth_getLogs", params, timeout })) as RawLog[];
  } catch (error) {
    if (!(error instanceof RpcError) || error.isRateLimit || from === to) throw error;
    const middle = from + Math.floor((to - from) / 2);
    return [
      ...(await logsBetween(source, query, from, middle)),
      ...(await logsBetween(source, query, middle + 1, to)),
    ];
  }
}
