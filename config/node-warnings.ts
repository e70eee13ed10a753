/** @module Warnings of Node and of packages in the service's log, instead of plain text on standard error. */
import type { Settings } from "./environment.ts";
import { createLogger, type Logger } from "./log.ts";
import type { Redact } from "./redact.ts";

/** Writes each warning as a line of the log. Does nothing if warnings are turned off (NODE_NO_WARNINGS=1). */
export function logNodeWarnings(log: Pick<Logger, "warn">): void {
  if (process.listenerCount("warning") === 0) return;
  process.removeAllListeners("warning");
  process.on("warning", (warning: Error & { readonly code?: string }) => {
    // Type stripping, with which the indexer is started.
    if (warning.name === "ExperimentalWarning") return;
    log.warn({ msg: "Node.js warns", warning, code: warning.code });
  });
}

/** The log of a process of the service: without secrets, and with those warnings in it. */
export function createServiceLog({ logFormat: format, logLevel: level }: Settings, redact: Redact): Logger {
  const write = (line: string) => void process.stdout.write(redact(line));
  const log = createLogger({ format, level, write });
  logNodeWarnings(log);
  return log;
}
