/** @module The times of blocks, from the chain and cached. The ledger only has the times of blocks with an event. */
import { LRUCache } from "lru-cache";
import type { Block } from "../../src/fold/events.ts";
import { type Budget, createCallBudget, type Nodes, rpcClientOf } from "../health/counted-http.ts";

/** Cached times; each takes a few bytes. */
const MAX_ENTRIES = 10_000;
/** How long a time is cached that a reorg may change. Milliseconds. */
const PENDING_TTL = 1_000;
/** The operator's requests that clients may spend: 86,400 a day at most. */
const BUDGET: Budget = { burst: 60, perSecond: 1 };

export type BlockTimes = {
  /**
   * Unix seconds; null while the budget of requests to the chain is spent.
   * @param irreversible the last block that no reorg can change: times up to it are cached for good
   * @throws when no node answers
   */
  of(blockNumber: bigint, irreversible: Block): Promise<bigint | null>;
};

/** Concurrent calls for one block share a request. */
export function createBlockTimes({ budget = BUDGET, ...nodes }: Nodes & { budget?: Budget }): BlockTimes {
  const client = rpcClientOf(nodes);
  const cache = new LRUCache<bigint, bigint>({ max: MAX_ENTRIES });
  const pending = new Map<bigint, Promise<bigint>>();
  const calls = createCallBudget(budget);

  const request = async (blockNumber: bigint, irreversible: Block) => {
    const { timestamp } = await client.getBlock({ blockNumber });
    cache.set(blockNumber, timestamp, blockNumber <= irreversible.number ? {} : { ttl: PENDING_TTL });
    return timestamp;
  };

  return {
    async of(blockNumber, irreversible) {
      const time = cache.get(blockNumber) ?? pending.get(blockNumber);
      if (time !== undefined) return time;
      if (calls.take() !== 0) return null;
      const requested = request(blockNumber, irreversible).finally(() => pending.delete(blockNumber));
      pending.set(blockNumber, requested);
      return requested;
    },
  };
}
