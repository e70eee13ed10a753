/** @module An endpoint that notes which blocks it is asked for the logs of. */
import type { Hex } from "viem";
import type { LocalChain } from "../../demo/chain.ts";
import { type RpcProxy, startRpcProxy } from "./rpc-proxy.ts";

export type NotedLogs = {
  proxy: RpcProxy;
  /** the first block of each question so far */
  asked(): Promise<number[]>;
};

export async function noteLogBlocks({ rpcUrl, publicClient }: LocalChain): Promise<NotedLogs> {
  const proxy = await startRpcProxy(rpcUrl);
  const filters: { fromBlock?: Hex; blockHash?: Hex }[] = [];
  proxy.refuses = (requests) => {
    for (const { method, params = [] } of requests) {
      if (method === "eth_getLogs") filters.push(params[0] as (typeof filters)[number]);
    }
    return undefined;
  };
  // By number or, for one block, by hash.
  const firstOf = async ({ fromBlock, blockHash }: (typeof filters)[number]) =>
    blockHash === undefined ? Number(fromBlock) : Number((await publicClient.getBlock({ blockHash })).number);
  return { proxy, asked: () => Promise.all(filters.map(firstOf)) };
}
