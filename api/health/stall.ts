/**
 * Notices that the chain goes on and the index does not. A WebSocket that stays open and says nothing is the usual
 * cause: Ponder waits for it for ever.
 * @module
 */
import type { Log } from "../../config/log.ts";
import type { Feed } from "../feed/feed.ts";
import type { IndexerMessage } from "./supervisor.ts";
import type { Upstream } from "./upstream.ts";

export type StallWatch = {
  stalled(): boolean;
  stop(): void;
};

export type StallParameters = {
  feed: Pick<Feed, "current" | "secondsSinceRead">;
  upstream: Pick<Upstream, "head" | "secondsSinceSeen">;
  log: Log;
  tell: (message: IndexerMessage) => void;
  /** milliseconds behind an advancing head without a new indexed block */
  after?: number;
  interval?: number;
};

/**
 * A head or a reading of the tables that is older, in seconds, says nothing about the index: the RPC or the database is
 * silent then.
 */
const FRESH = 10;
/** How many times as long as it takes to count as stalled until nothing but a new start is expected to help. */
const LONG = 5;

/** Watches until stopped. Logs each stall once and tells when it begins and when it is long; not before the backfill is over. */
export function watchForStall(parameters: StallParameters): StallWatch {
  const { feed, upstream, log, tell, after = 60_000, interval = 1000 } = parameters;
  let live = false;
  let stalled = false;
  let isLong = false;
  let indexed: bigint | null = null;
  /** When the index fell behind without moving since. */
  let since: number | null = null;

  const look = () => {
    const snapshot = feed.current();
    const head = upstream.head();
    if (snapshot === null || !snapshot.backfilled) return;
    if (!live) tell({ kind: "live" });
    live = true;
    const { number } = snapshot.market.head;
    const isFresh = upstream.secondsSinceSeen() < FRESH && feed.secondsSinceRead() < FRESH;
    const behind = isFresh && head !== null && head.number > number;
    if (!behind || number !== indexed) since = null;
    if (behind) since ??= performance.now();
    indexed = number;
    const stoodFor = since === null ? 0 : performance.now() - since;
    const isStalled = behind && stoodFor >= after;
    const blocks = { indexed: number.toString(), head: `${head?.number}` };
    if (isStalled && !stalled) {
      log.warn({ msg: "The chain goes on and the index does not", ...blocks });
      tell({ kind: "stalled", isLong: false, ...blocks });
    }
    const wasLong = isLong;
    isLong = isStalled && stoodFor >= LONG * after;
    if (isLong && !wasLong) tell({ kind: "stalled", isLong, ...blocks });
    if (stalled && !isStalled) log.info({ msg: "The index goes on", indexed: number });
    stalled = isStalled;
  };
  const timer = setInterval(look, interval).unref();
  return { stalled: () => stalled, stop: () => clearInterval(timer) };
}
