/**
 * The head of the chain as the RPC sees it, asked once a second: what the indexed block is compared with.
 * @module
 */
import { createPublicClient, fallback, http } from "viem";
import type { Log } from "../../config/log.ts";
import type { Head } from "../market/project.ts";

export type Upstream = {
  /** the newest block seen; null until the RPC has answered once */
  head(): Head | null;
  /** seconds since the RPC last told us the head, by a clock that only runs forward */
  secondsSinceSeen(): number;
  stop(): void;
};

export type UpstreamParameters = {
  rpcUrls: readonly string[];
  log: Log;
  /** milliseconds between two questions */
  interval?: number;
  timeout?: number;
};

/** Follows the chain's head until stopped. A silent RPC is logged once, and once more when it answers again. */
export function followUpstream({
  rpcUrls,
  log,
  interval = 1000,
  timeout = 5000,
}: UpstreamParameters): Upstream {
  const transports = rpcUrls.map((url) => http(url, { timeout, retryCount: 0 }));
  const client = createPublicClient({ transport: fallback(transports, { retryCount: 0 }), cacheTime: 0 });
  let head: Head | null = null;
  let seenAt = performance.now();
  let silent = false;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

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
    if (!stopped) timer = setTimeout(ask, interval).unref();
  };
  void ask();

  return {
    head: () => head,
    secondsSinceSeen: () => (performance.now() - seenAt) / 1000,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
