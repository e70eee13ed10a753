/**
 * Warnings of Node and of packages in the service's log: Node itself writes them to standard error as plain text.
 * @module
 */
import type { Log } from "./log.ts";

/** Writes each warning as a line of the log. Does nothing where warnings are turned off (NODE_NO_WARNINGS=1). */
export function logNodeWarnings(log: Pick<Log, "warn">): void {
  if (process.listenerCount("warning") === 0) return;
  process.removeAllListeners("warning");
  process.on("warning", (warning: Error & { readonly code?: string }) => {
    // Type stripping, which the indexer is started with.
    if (warning.name === "ExperimentalWarning") return;
    log.warn({ msg: "Node.js warns", warning, code: warning.code });
  });
}
