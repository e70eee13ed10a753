/**
 * The head of the chain as the RPC tells it: what the indexed block is compared with. Each question costs the operator
 * a call, so the RPC is asked only when the index does not show by itself where the chain is.
 * @module
 */
import { createPublicClient, fallback, http } from "viem";
import type { Log } from "../../config/log.ts";
import type { Block } from "../../src/fold/events.ts";

export type Upstream = {
  /** the block that the RPC named last; null until it has answered once */
  head(): Block | null;
  /** seconds since the RPC last told us the head, by a clock that only runs forward */
  secondsSinceSeen(): number;
  stop(): void;
};

export type UpstreamParameters = {
  rpcUrls: readonly string[];
  /** the last indexed block */
  indexed(): Block | null;
  log: Log;
  /** milliseconds between two questions while the index does not keep pace */
  interval?: number;
  timeout?: number;
};

/** Seconds that the index may be away from the chain's time without a question. At 0.45 s a block 9 blocks. */
export const PACE = 4;
/** Seconds after which the RPC is asked even when the index keeps pace. */
export const LONGEST_SILENCE = 30;

/**
 * Whether the index is at the head of a chain whose time was that of `head` so many seconds ago. Block times follow
 * the seconds that pass here, so that this needs neither the machine's date nor the RPC.
 */
export function keepsPace(indexed: Block | null, head: Block, secondsAgo: number): boolean {
  if (indexed === null || secondsAgo >= LONGEST_SILENCE) return false;
  return Math.abs(Number(head.timestamp - indexed.timestamp) + secondsAgo) <= PACE;
}

/** Follows the chain's head until stopped. A silent RPC is logged once, and once more when it answers again. */
export function followUpstream({
  rpcUrls,
  indexed,
  log,
  interval = 1000,
  timeout = 5000,
}: UpstreamParameters): Upstream {
  const transports = rpcUrls.map((url) => http(url, { timeout, retryCount: 0 }));
  const client = createPublicClient({ transport: fallback(transports, { retryCount: 0 }), cacheTime: 0 });
  let head: Block | null = null;
  let seenAt = performance.now();
  let silent = false;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const secondsSinceSeen = () => (performance.now() - seenAt) / 1000;

  const ask = async () => {
    try {
      const { number, timestamp } = await client.getBlock();
      if (number !== null) head = { number, timestamp };
      seenAt = performance.now();
      if (silent) log.info({ msg: "The RPC answers again" });
      silent = false;
    } catch {
      if (!silent) log.warn({ msg: "The RPC does not tell the chain's head" });
      silent = true;
    }
  };
  const run = async () => {
    const known = head !== null && !silent && keepsPace(indexed(), head, secondsSinceSeen());
    if (!known) await ask();
    if (!stopped) timer = setTimeout(run, interval).unref();
  };
  void run();

  return {
    head: () => head,
    secondsSinceSeen,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
