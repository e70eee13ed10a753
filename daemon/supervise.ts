/**
 * Keeps the indexer running: what a new start can mend is started again, later and later; all else ends the daemon.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../config/log.ts";
import { EXIT_BY_SIGINT, type Indexer } from "./indexer.ts";

/** Ponder's exit code for what may pass: an endpoint or a database that fails, a reorg deeper than its window. */
export const EXIT_RETRYABLE = 75;

export interface SuperviseParameters {
  readonly start: () => Pick<Indexer, "stop" | "exited">;
  readonly log: Pick<Log, "warn">;
  /** Aborts when somebody asks the daemon to stop. */
  readonly signal: AbortSignal;
  /** Milliseconds. The delay doubles from the first to the longest, and begins again after a run of `steadyAfter`. */
  readonly firstDelay?: number;
  readonly longestDelay?: number;
  readonly steadyAfter?: number;
}

/** Resolves to the exit code for the daemon: 0 after a requested stop. */
export async function supervise(parameters: SuperviseParameters): Promise<number> {
  const { start, log, signal, firstDelay = 5_000, longestDelay = 60_000, steadyAfter = 600_000 } = parameters;
  let delay = firstDelay;
  while (!signal.aborted) {
    const indexer = start();
    const startedAt = performance.now();
    const stop = () => void indexer.stop();
    signal.addEventListener("abort", stop, { once: true });
    const code = await indexer.exited;
    signal.removeEventListener("abort", stop);
    if (signal.aborted) return code === EXIT_BY_SIGINT ? 0 : code;
    if (code !== EXIT_RETRYABLE) return code;
    if (performance.now() - startedAt >= steadyAfter) delay = firstDelay;
    log.warn({ msg: "The indexer ended and will be started again", code, delayMs: delay });
    await sleep(delay, undefined, { signal }).catch(() => {});
    delay = Math.min(2 * delay, longestDelay);
  }
  return 0;
}
