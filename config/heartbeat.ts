/** @module Signs of life of a child process, by which its parent sees that it has not come to a standstill. */

export const HEARTBEAT = { kind: "alive" } as const;

/** Milliseconds between heartbeats. */
export const HEARTBEAT_EVERY = 1_000;

/** Tells the parent process, if any, that this process is responsive. */
export function sendHeartbeats(): void {
  if (process.send === undefined) return;
  // An error means that the parent is gone, and this process will end too.
  const send = () => process.connected && process.send?.(HEARTBEAT, undefined, {}, () => {});
  setInterval(send, HEARTBEAT_EVERY).unref();
}
