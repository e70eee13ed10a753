/** @module Keeps a child process running: one that ends is started again, later each time while it keeps ending soon. */
import type { ChildProcess } from "node:child_process";
import type { Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { HEARTBEAT, HEARTBEAT_EVERY } from "../../config/heartbeat.ts";
import type { Logger } from "../../config/log.ts";

export type Child<Exit> = {
  /** Requests an orderly end. May be called again. */
  stop(): unknown;
  /** How it ended. Never rejects. */
  readonly exited: Promise<Exit>;
};

/** Milliseconds. */
export type RestartDelays = {
  /** before the first restart; default: `shortest` */
  readonly first?: number;
  /** The delay doubles from the shortest to the longest. */
  readonly shortest: number;
  readonly longest: number;
  /** length of a run after which the delay is the first again; default: never */
  readonly steadyAfter?: number;
};

export type KeepRunningParameters<Exit> = {
  start(): Child<Exit> | Promise<Child<Exit>>;
  /**
   * Called when it ends without a request to stop.
   * @param delayMs milliseconds to the restart
   * @returns whether it is started again
   */
  onEnd(exit: Exit, run: { readonly delayMs: number; readonly isSteady: boolean }): boolean;
  /** Waits after the delay until a restart can succeed. @returns whether it had to wait; if so, the delays begin with the first again */
  untilPossible?(): Promise<boolean>;
  readonly delays: RestartDelays;
  /** Aborts on a request to stop. */
  readonly signal: AbortSignal;
};

/** @returns how the last run ended; null if the request to stop came between two runs */
export async function keepRunning<Exit>(parameters: KeepRunningParameters<Exit>): Promise<Exit | null> {
  const { start, onEnd, untilPossible, delays, signal } = parameters;
  const { shortest, longest, first = shortest, steadyAfter = Number.POSITIVE_INFINITY } = delays;
  let delayMs = first;
  while (!signal.aborted) {
    const startedAt = performance.now();
    const child = await start();
    const stop = () => void child.stop();
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    const exit = await child.exited;
    signal.removeEventListener("abort", stop);
    if (signal.aborted) return exit;
    const isSteady = performance.now() - startedAt >= steadyAfter;
    if (isSteady) delayMs = first;
    if (!onEnd(exit, { delayMs, isSteady })) return exit;
    await sleep(delayMs, undefined, { signal }).catch(() => {});
    delayMs = Math.min(Math.max(2 * delayMs, shortest), longest);
    if (await untilPossible?.()) delayMs = first;
  }
  return null;
}

/**
 * For the environment of a child: its C library (glibc) gives blocks of a megabyte and more back when they are freed. By default it would
 * keep those that are used again and again, such as answers of nodes and rows on their way to the database: some 70 MB after a history.
 */
export const GIVES_BACK = { MALLOC_MMAP_THRESHOLD_: "1048576" };

/**
 * For Node, half of the young generation in megabytes: by default V8 lets it grow to 130 MB while modules load, a market is read or a list
 * is sent, and the work is not done sooner. `package.json` and `raisebook.mjs` have the same.
 */
export const YOUNG_HEAP = "--max-semi-space-size=16";

/** The exit code, or the signal that ended a process; neither if it never started. */
export type ProcessEnd = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export function endOf(child: ChildProcess | Worker): Promise<ProcessEnd> {
  const { pid } = "process" in child ? child.process : child;
  return new Promise((resolve) => {
    // A message that could not be sent to a live process is also an error, but not an end.
    child.on("error", () => pid === undefined && resolve({ code: null, signal: null }));
    child.once("exit", (code: number | null, signal: NodeJS.Signals | null) => resolve({ code, signal }));
  });
}

/** Milliseconds without a heartbeat of a reader until it is killed. Building a large market takes a second or two. */
const SILENCE = 15_000;

type HeartbeatOptions = { readonly msg?: string; readonly silence?: number; readonly since?: number | null };

/**
 * Kills a child whose heartbeats stop for `silence` milliseconds, so that its parent starts another.
 * @param options `since`: from when on one is expected (`performance.now()`); default: from the first one on
 */
export function watchHeartbeats(
  child: ChildProcess,
  log: Pick<Logger, "warn">,
  { msg = "A reader does not respond and is killed", silence = SILENCE, since = null }: HeartbeatOptions = {},
): void {
  let seenAt = since;
  let lookedAt = performance.now();
  child.on("message", (message) => {
    if ((message as { kind?: unknown } | null)?.kind === HEARTBEAT.kind) seenAt = performance.now();
  });
  const look = () => {
    const now = performance.now();
    // This process was suspended itself, and messages of that time are still unread.
    const isLate = now - lookedAt > 2 * HEARTBEAT_EVERY;
    lookedAt = now;
    if (seenAt === null) return;
    if (isLate) seenAt = now;
    if (now - seenAt < silence) return;
    clearInterval(timer);
    const seconds = Math.round(silence / 1000);
    log.warn({ msg, pid: child.pid, seconds });
    child.kill("SIGKILL");
  };
  const timer = setInterval(look, HEARTBEAT_EVERY).unref();
  child.once("exit", () => clearInterval(timer));
}
