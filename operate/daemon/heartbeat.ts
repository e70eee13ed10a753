/**
 * Signs of life of a child process. One that stands still keeps its place and its connections, and answers none of them.
 * @module
 */
import type { ChildProcess } from "node:child_process";
import type { Log } from "../../config/log.ts";

const HEARTBEAT = { kind: "alive" } as const;

/** Milliseconds between two signs, and without one until the process is ended. A large market takes a second or two to make. */
const EVERY = 1_000;
const SILENCE = 15_000;

/** Tells the parent, if there is one, that this process is not standing still. */
export function sendHeartbeats(): void {
  if (process.send === undefined) return;
  // An error means that the parent is gone, and this process will end too.
  setInterval(() => process.connected && process.send?.(HEARTBEAT, undefined, {}, () => {}), EVERY).unref();
}

/** Kills a child that has given signs of life and then none for `silence` milliseconds, so that its parent starts another. */
export function watchHeartbeats(child: ChildProcess, log: Pick<Log, "warn">, silence = SILENCE): void {
  let seenAt: number | null = null;
  let lookedAt = performance.now();
  child.on("message", (message) => {
    if ((message as { kind?: unknown } | null)?.kind === HEARTBEAT.kind) seenAt = performance.now();
  });
  const look = () => {
    const now = performance.now();
    // This process stood still itself: what came meanwhile has not been read yet.
    const isLate = now - lookedAt > 2 * EVERY;
    lookedAt = now;
    if (seenAt === null) return;
    if (isLate) seenAt = now;
    if (now - seenAt < silence) return;
    clearInterval(timer);
    log.warn({
      msg: "A reader stands still and is killed",
      pid: child.pid,
      seconds: Math.round(silence / 1000),
    });
    child.kill("SIGKILL");
  };
  const timer = setInterval(look, EVERY).unref();
  child.once("exit", () => clearInterval(timer));
}
