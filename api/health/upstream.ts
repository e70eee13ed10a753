/** @module The chain's head by the RPC, which costs the operator a call: polled only while the index does not show where it is. */
import { refusalKindOf } from "../../chain/refusals.ts";
import type { Logger } from "../../config/log.ts";
import type { Block } from "../../src/fold/events.ts";
import { type Nodes, rpcClientOf } from "./counted-http.ts";

export type HeadWatch = {
  /** the RPC's last answer; null before the first */
  head(): Block | null;
  /** seconds since the RPC's last answer, by a monotonic clock */
  secondsSinceSeen(): number;
  stop(): void;
};

/** Most seconds between the indexed time and the expected chain time at which the index keeps pace: 9 blocks of 0.45 s. */
export const PACE = 4;
/** Failed polls in a row after which the RPC counts as silent: a single failure is normal with every provider. */
const SILENT_AFTER = 3;
/** Seconds after which the RPC is polled even if the index keeps pace. */
export const LONGEST_SILENCE = 30;

/** Whether the index is at the head of the chain. Block times advance with real time: neither date nor RPC is needed. */
export function keepsPace(indexed: Block | null, head: Block, secondsAgo: number): boolean {
  if (indexed === null || secondsAgo >= LONGEST_SILENCE) return false;
  return Math.abs(Number(head.timestamp - indexed.timestamp) + secondsAgo) <= PACE;
}

/** Follows the chain's head until stopped. Logs once when the RPC falls silent, and once when it answers again. */
export function watchHead(
  parameters: Nodes & {
    indexed(): Block | null;
    log: Logger;
    /** milliseconds between polls while the index does not keep pace */
    interval?: number;
  },
): HeadWatch {
  const { indexed, log, interval = 1000 } = parameters;
  const client = rpcClientOf(parameters);
  let head: Block | null = null;
  let seenAt = performance.now();
  /** Failed polls since the last answer. */
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const secondsSinceSeen = () => (performance.now() - seenAt) / 1000;

  const poll = async () => {
    try {
      const { number, timestamp } = await client.getBlock();
      if (number !== null) head = { number, timestamp };
      if (failures >= SILENT_AFTER)
        log.info({ msg: "The RPC answers again", failures, seconds: Math.round(secondsSinceSeen()) });
      seenAt = performance.now();
      failures = 0;
    } catch (error) {
      failures += 1;
      const isRate = refusalKindOf(error) === "rate";
      const msg = isRate ? "The RPC limits the rate of requests" : "The RPC does not answer";
      if (failures === SILENT_AFTER) log.warn({ msg });
    }
  };
  const run = async () => {
    const isAtHead = head !== null && failures === 0 && keepsPace(indexed(), head, secondsSinceSeen());
    if (!isAtHead) await poll();
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
