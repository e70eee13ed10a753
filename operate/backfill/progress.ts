/**
 * The progress of a fast-forward, in the log.
 * @module
 */
import { setInterval } from "node:timers";
import type { Logger } from "../../config/log.ts";

export type BackfillProgress = {
  /** All blocks up to `block` are folded, of those up to `last`. */
  reached(block: number, last: number, events: number): void;
  /** Logs the end. */
  end(): void;
  stop(): void;
};

const INTERVAL = 3_000;

export type ProgressParameters = {
  log: Pick<Logger, "info">;
  /** the first block */
  first: number;
  /** HTTP requests so far */
  requests(): number;
};

export function startProgress({ log, first, requests }: ProgressParameters): BackfillProgress {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  let [at, last, events] = [first - 1, first, 0];
  log.info({ msg: "Started fetching the history", from: first });

  const timer = setInterval(() => {
    const done = (at - first + 1) / (last - first + 1);
    log.info({
      msg: "Fetching the history",
      block: at,
      last,
      progress: `${(100 * done).toFixed(1)}%`,
      events,
      requests: requests(),
      estimate: done > 0 ? `${Math.ceil((seconds() * (1 - done)) / done)}s` : undefined,
    });
  }, INTERVAL).unref();

  return {
    reached(block, to, count) {
      [at, last, events] = [block, to, count];
    },
    end: () =>
      log.info({
        msg: "Fetched and folded the history",
        block: at,
        events,
        requests: requests(),
        duration: `${seconds().toFixed(1)}s`,
      }),
    stop: () => clearInterval(timer),
  };
}
