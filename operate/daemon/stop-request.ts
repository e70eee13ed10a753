/**
 * Requests to stop a long-running process: signals, a closed output, the end of npm.
 * @module
 */

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const ORPHAN_CHECK = 1_000;

/** Aborts on the first request and hands its cause to `onRequest`. Later ones are ignored: an orderly end takes time. */
export function stopRequest(onRequest: (cause: string) => void): AbortSignal {
  const stopping = new AbortController();
  const request = (cause: string) => {
    if (stopping.signal.aborted) return;
    // First, since `onRequest` may fail, which is a request of its own.
    stopping.abort();
    onRequest(cause);
  };
  for (const name of SIGNALS) process.on(name, () => request(name));
  // The reader is gone, as in `npm start | head`, or the terminal.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", () => request("nobody reads its output"));
  }
  // npm forwards SIGINT and SIGTERM. When it is killed, nobody else would stop us.
  if (process.env.npm_lifecycle_event !== undefined) {
    const parent = process.ppid;
    const timer = setInterval(() => process.ppid !== parent && request("npm is gone"), ORPHAN_CHECK);
    timer.unref();
  }
  return stopping.signal;
}
