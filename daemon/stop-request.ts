/**
 * Everything that asks a long-running process of ours to end: signals, and that nobody is there any more.
 * @module
 */

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const ORPHAN_CHECK = 1_000;

/** Aborts on the first request, after `onRequest` has heard its cause. Later ones change nothing: an end takes its time. */
export function stopRequest(onRequest: (cause: string) => void): AbortSignal {
  const stopping = new AbortController();
  const request = (cause: string) => {
    if (stopping.signal.aborted) return;
    // First, since telling may fail, and that is a cause of its own.
    stopping.abort();
    onRequest(cause);
  };
  for (const name of SIGNALS) process.on(name, () => request(name));
  // Nobody reads on, as in `npm start | head`, or the terminal is gone.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", () => request("nobody reads its output"));
  }
  // npm hands SIGINT and SIGTERM on to us. When it is killed, nobody knows of us any more.
  if (process.env.npm_lifecycle_event !== undefined) {
    const parent = process.ppid;
    const timer = setInterval(() => process.ppid !== parent && request("npm is gone"), ORPHAN_CHECK);
    timer.unref();
  }
  return stopping.signal;
}
