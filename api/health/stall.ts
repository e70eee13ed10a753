/** @module Detects a stalled indexer while the chain advances; usually a WebSocket is silent, and Ponder waits for it forever. */
import type { Logger } from "../../config/log.ts";
import type { MarketSource } from "../market/snapshot.ts";
import type { IndexProgress } from "./supervisor.ts";
import type { HeadWatch } from "./upstream.ts";

/** Seconds after which a head or a look at the tables is too old to judge the indexer by: RPC or database is silent, or all rows are read. */
const FRESH = 10;
/** A stall this many times as long as `after` is a long one, which only a restart is likely to end. */
const LONG = 3;

/** Watches from the end of the backfill until stopped. Logs each stall once, and notifies when it starts and when it is long. */
export function watchForStall(parameters: {
  updater: MarketSource & { secondsSinceLook(): number; isRestarting(): boolean };
  upstream: Pick<HeadWatch, "head" | "secondsSinceSeen">;
  log: Logger;
  notify: (message: IndexProgress) => void;
  /** milliseconds behind the head without a new indexed block */
  after?: number;
  interval?: number;
}) {
  const { updater, upstream, log, notify, after = 60_000, interval = 1000 } = parameters;
  let live = false;
  let stalled = false;
  let stalledAt = 0;
  let isLong = false;
  let indexed: bigint | null = null;
  /** Start of the time behind the head without a new block. */
  let since: number | null = null;

  const check = () => {
    const snapshot = updater.current();
    const head = upstream.head();
    if (snapshot === null || !snapshot.backfilled || updater.isRestarting()) {
      // A restarted indexer is about to backfill.
      live = false;
      return;
    }
    if (!live) notify({ kind: "live" });
    live = true;
    const { number } = snapshot.market.head;
    const isFresh = upstream.secondsSinceSeen() < FRESH && updater.secondsSinceLook() < FRESH;
    const behind = isFresh && head !== null && head.number > number;
    if (!behind || number !== indexed) since = null;
    if (behind) since ??= performance.now();
    indexed = number;
    const duration = since === null ? 0 : performance.now() - since;
    const isStalled = behind && duration >= after;
    const blocks = { indexed: number.toString(), head: `${head?.number}` };
    if (isStalled && !stalled) {
      log.warn({ msg: "The indexer has stalled while the chain advances", ...blocks });
      notify({ kind: "stalled", isLong: false, ...blocks });
    }
    const wasLong = isLong;
    isLong = isStalled && duration >= LONG * after;
    if (isLong && !wasLong) notify({ kind: "stalled", isLong, ...blocks });
    if (isStalled && !stalled) stalledAt = performance.now() - duration;
    if (stalled && !isStalled) {
      const seconds = Math.round((performance.now() - stalledAt) / 1000);
      log.info({ msg: "The indexer advances again", indexed: number, seconds });
    }
    stalled = isStalled;
  };
  const timer = setInterval(check, interval).unref();
  return { stalled: () => stalled, stop: () => clearInterval(timer) };
}
