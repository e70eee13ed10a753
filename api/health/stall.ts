/** @module Detects a stalled indexer while the chain advances; usually a WebSocket is silent, and Ponder waits for it forever. */
import type { Logger } from "../../config/log.ts";
import type { MarketSource } from "../market/snapshot.ts";
import type { IndexProgress } from "./supervisor.ts";
import type { HeadWatch } from "./upstream.ts";

/** Seconds after which a head or a look at the tables is too old to judge the indexer by: RPC or database is silent, or all rows are read. */
const FRESH = 10;
/**
 * A stall this many times as long as `after` is a long one, which only a restart is likely to end. Before the indexer follows the chain
 * nothing shorter counts: a range of a backfill may take a while.
 */
const LONG = 3;

const STALLED = "The indexer has stalled while the chain advances";
const STALLED_BEFORE = "The indexer has stalled before it follows the chain";

/**
 * Watches until stopped. Logs each stall once. Once the indexer follows the chain, notifies when a stall starts and when it is long:
 * before that a restart would lose what is not committed yet.
 */
export function watchForStall(parameters: {
  updater: MarketSource & {
    secondsSinceLook(): number;
    /** the block that the tables had at that look; null before the first */
    reached(): bigint | null;
    isRestarting(): boolean;
    /** the process that indexed at that look; null where it is not known */
    indexer(): string | null;
  };
  upstream: Pick<HeadWatch, "head" | "secondsSinceSeen">;
  log: Logger;
  notify: (message: IndexProgress) => void;
  /** milliseconds behind the head without a new indexed block */
  after?: number;
  interval?: number;
}) {
  const { updater, upstream, log, notify, after = 60_000, interval = 1000 } = parameters;
  let live = false;
  let indexer: string | null = null;
  let stalled = false;
  let stalledAt = { time: 0, block: 0n };
  let isLong = false;
  let indexed: bigint | null = null;
  /** Start of the time behind the head without a new block. */
  let since: number | null = null;

  const check = () => {
    const snapshot = updater.current();
    const head = upstream.head();
    const before = indexer;
    indexer = updater.indexer();
    // A restarted indexer is about to backfill, and may even have done so since the last check.
    const isOther = before !== null && indexer !== before;
    const isLive = snapshot?.backfilled === true && !updater.isRestarting() && !isOther;
    if (isLive && !live) notify({ kind: "live" });
    const number = updater.reached();
    const isFresh = upstream.secondsSinceSeen() < FRESH && updater.secondsSinceLook() < FRESH;
    const behind = number !== null && isFresh && head !== null && head.number > number;
    if (!behind || number !== indexed || isLive !== live) since = null;
    if (behind) since ??= performance.now();
    live = isLive;
    indexed = number;
    const duration = since === null ? 0 : performance.now() - since;
    // One that was restarted for it reads again what it had, and may stand still at the same place.
    const isBack = stalled && !live && number !== null && number <= stalledAt.block;
    const isStalled = isBack || (behind && duration >= (live ? after : LONG * after));
    const blocks = { indexed: `${number}`, head: `${head?.number}` };
    if (isStalled && !stalled) {
      log.warn({ msg: live ? STALLED : STALLED_BEFORE, ...blocks });
      if (live) notify({ kind: "stalled", isLong: false, ...blocks });
    }
    const wasLong = isLong;
    isLong = live && isStalled && duration >= LONG * after;
    if (isLong && !wasLong) notify({ kind: "stalled", isLong, ...blocks });
    if (isStalled && !stalled) stalledAt = { time: performance.now() - duration, block: number ?? 0n };
    if (stalled && !isStalled) {
      const seconds = Math.round((performance.now() - stalledAt.time) / 1000);
      log.info({ msg: "The indexer advances again", indexed: number, seconds });
    }
    stalled = isStalled;
  };
  const timer = setInterval(check, interval).unref();
  return { stalled: () => stalled, stop: () => clearInterval(timer) };
}
