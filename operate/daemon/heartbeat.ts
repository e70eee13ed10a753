/**
 * Heartbeats of a child process. A child that hangs keeps its place and its connections but answers none of them.
 * @module
 */
import type { ChildProcess } from "node:child_process";
import type { Logger } from "../../config/log.ts";

const HEARTBEAT = { kind: "alive" } as const;

/** Milliseconds between heartbeats, and without one until the process is killed. Building a large market takes a second or two. */
const EVERY = 1_000;
const SILENCE = 15_000;

/** Tells the parent process, if any, that this process is responsive. */
export function sendHeartbeats(): void {
  if (process.send === undefined) return;
  // An error means that the parent is gone, and this process will end too.
  setInterval(() => process.connected && process.send?.(HEARTBEAT, undefined, {}, () => {}), EVERY).unref();
}

/** Kills a child whose heartbeats stop for `silence` milliseconds, so that its parent starts another. */
export function watchHeartbeats(child: ChildProcess, log: Pick<Logger, "warn">, silence = SILENCE): void {
  let seenAt: number | null = null;
  let lookedAt = performance.now();
  child.on("message", (message) => {
    if ((message as { kind?: unknown } | null)?.kind === HEARTBEAT.kind) seenAt = performance.now();
  });
  const look = () => {
    const now = performance.now();
    // This process was suspended itself, and messages of that time are still unread.
    const isLate = now - lookedAt > 2 * EVERY;
    lookedAt = now;
    if (seenAt === null) return;
    if (isLate) seenAt = now;
    if (now - seenAt < silence) return;
    clearInterval(timer);
    log.warn({
      msg: "A reader does not respond and is killed",
      pid: child.pid,
      seconds: Math.round(silence / 1000),
    });
    child.kill("SIGKILL");
  };
  const timer = setInterval(look, EVERY).unref();
  child.once("exit", () => clearInterval(timer));
}
