/**
 * The time of a block, asked of the chain once. The ledger names only the blocks in which something happened.
 * @module
 */
import { LRUCache } from "lru-cache";
import { createPublicClient, fallback, http } from "viem";
import type { Block } from "../../src/fold/events.ts";

/** How many times are kept; each is a few bytes. */
const KEPT = 10_000;
/** How long the time of a block that a reorg may change is kept. Milliseconds. */
const PENDING_KEPT = 1_000;
/** What strangers may spend of the operator's requests: 86,400 a day at most. */
const BUDGET: Budget = { burst: 60, perSecond: 1 };

export type BlockTimes = {
  /**
   * Unix seconds; null when the budget of questions to the chain is spent for now.
   * @param finalized up to here a reorg changes nothing, and the answer is kept
   * @throws when the chain does not tell
   */
  of(blockNumber: bigint, finalized: Block): Promise<bigint | null>;
};

/** So many questions at once, and so many a second from then on. */
type Budget = { burst: number; perSecond: number };

export type BlockTimesParameters = { rpcUrls: readonly string[]; timeout?: number; budget?: Budget };

/** Asks the nodes in order until one tells; one question for all who want to know the same block's time. */
export function createBlockTimes({
  rpcUrls,
  timeout = 5000,
  budget = BUDGET,
}: BlockTimesParameters): BlockTimes {
  const transports = rpcUrls.map((url) => http(url, { timeout, retryCount: 0 }));
  const client = createPublicClient({ transport: fallback(transports, { retryCount: 0 }) });
  const known = new LRUCache<bigint, bigint>({ max: KEPT });
  const asking = new Map<bigint, Promise<bigint>>();
  const mayAsk = createTokenBucket(budget);

  const ask = async (blockNumber: bigint, finalized: Block) => {
    const { timestamp } = await client.getBlock({ blockNumber });
    known.set(blockNumber, timestamp, blockNumber <= finalized.number ? {} : { ttl: PENDING_KEPT });
    return timestamp;
  };

  return {
    async of(blockNumber, finalized) {
      const answer = known.get(blockNumber) ?? asking.get(blockNumber);
      if (answer !== undefined) return answer;
      if (!mayAsk()) return null;
      const question = ask(blockNumber, finalized).finally(() => asking.delete(blockNumber));
      asking.set(blockNumber, question);
      return question;
    },
  };
}

/** Whether there is a token left, which is then spent. */
function createTokenBucket({ burst, perSecond }: Budget): () => boolean {
  let left = burst;
  let counted = performance.now();
  return () => {
    const now = performance.now();
    left = Math.min(burst, left + ((now - counted) / 1000) * perSecond);
    counted = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
