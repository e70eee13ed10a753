/**
 * The time of a block, asked of the chain once. The ledger names only the blocks in which something happened.
 * @module
 */
import { LRUCache } from "lru-cache";
import { createPublicClient, fallback, http } from "viem";
import type { Head } from "../market/project.ts";

/** How many times are kept; each is a few bytes. */
const KEPT = 10_000;

export type BlockTimes = {
  /**
   * Unix seconds.
   * @param finalized up to here a reorg changes nothing, and the answer is kept
   * @throws when the chain does not tell
   */
  of(blockNumber: bigint, finalized: Head): Promise<bigint>;
};

export type BlockTimesParameters = { rpcUrls: readonly string[]; timeout?: number };

/** Asks the nodes in order until one tells. */
export function createBlockTimes({ rpcUrls, timeout = 5000 }: BlockTimesParameters): BlockTimes {
  const transports = rpcUrls.map((url) => http(url, { timeout, retryCount: 0 }));
  const client = createPublicClient({ transport: fallback(transports, { retryCount: 0 }) });
  const known = new LRUCache<bigint, bigint>({ max: KEPT });
  return {
    async of(blockNumber, finalized) {
      const kept = known.get(blockNumber);
      if (kept !== undefined) return kept;
      const { timestamp } = await client.getBlock({ blockNumber });
      if (blockNumber <= finalized.number) known.set(blockNumber, timestamp);
      return timestamp;
    },
  };
}
