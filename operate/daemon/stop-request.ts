/** @module Requests to stop a long-running process: signals, a closed output, or the end of npm. */

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const ORPHAN_CHECK = 1_000;

/** Aborts at the first request and passes its cause to `onRequest`. Later ones are ignored: an orderly end takes time. */
export function stopRequest(onRequest: (cause: string) => void): AbortSignal {
  const stopping = new AbortController();
  const request = (cause: string) => {
    if (stopping.signal.aborted) return;
    // First, since an error in `onRequest` may cause another stop request.
    stopping.abort();
    onRequest(cause);
  };
  for (const name of SIGNALS) process.on(name, () => request(name));
  // The reader is gone, as in `npm start | head`, or the terminal.
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", () => request("its output was closed"));
  // npm forwards SIGINT and SIGTERM. If npm is killed, this process must stop itself.
  if (process.env.npm_lifecycle_event !== undefined) {
    const parent = process.ppid;
    const timer = setInterval(() => process.ppid !== parent && request("npm is gone"), ORPHAN_CHECK);
    timer.unref();
  }
  return stopping.signal;
}
