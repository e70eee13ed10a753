/** @module A wait for a state that a test asks about again and again. */
import { setTimeout as sleep } from "node:timers/promises";
import { PATIENCE } from "./patience.ts";

type Waiting = {
  /** milliseconds */
  timeout?: number;
  interval?: number;
  /** whether the state can no longer come */
  isOver?(): boolean;
  /** what the error says besides */
  report?(): string;
};

/** Resolves when the state has come. A question that fails counts as no. */
export async function until(
  what: string,
  isSo: () => Promise<boolean>,
  { timeout = PATIENCE.timeout, interval = PATIENCE.interval, isOver, report }: Waiting = {},
): Promise<void> {
  const deadline = performance.now() + timeout;
  for (let cause: unknown; ; await sleep(interval)) {
    const isLast = isOver?.() || performance.now() > deadline;
    try {
      if (await isSo()) return;
    } catch (error) {
      cause = error;
    }
    if (isLast) throw new Error(`waited in vain: ${what}\n${report?.() ?? ""}`, { cause });
  }
}
