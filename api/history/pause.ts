/**
 * Pauses of work that shares the event loop with the indexing.
 * @module
 */
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds. */
const LONGEST = 250;

/**
 * Rests until the event loop was idle for as long as it was busy since the last pause: however much is asked of the
 * past, the others have half of the time.
 */
export function createPause(): () => Promise<void> {
  let last = performance.eventLoopUtilization();
  return async () => {
    const { active, idle } = performance.eventLoopUtilization(last);
    await sleep(Math.min(Math.max(active - idle, 0), LONGEST));
    last = performance.eventLoopUtilization();
  };
}
