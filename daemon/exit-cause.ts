/**
 * Why the indexer ended, in words for the operator.
 * @module
 */
import { constants } from "node:os";
import { EXIT_NOT_STARTED } from "./indexer.ts";

/** Ponder's exit code for what may pass: an endpoint or a database that fails, a reorg deeper than its window. */
export const EXIT_RETRYABLE = 75;
/** Ponder's and Node's for what a new start does not mend: the build failed, a handler threw. */
export const EXIT_REFUSED = 1;

const LIKELY: Partial<Record<NodeJS.Signals, string>> = {
  SIGKILL: "most likely the system was out of memory, or somebody killed it",
  SIGABRT: "most likely its heap was full (NODE_OPTIONS=--max-old-space-size=… gives it more)",
  SIGSEGV: "a crash inside Node.js",
  SIGBUS: "a crash inside Node.js",
};

/** A phrase that completes "The indexer …". */
export function exitCause(code: number): string {
  if (code === 0) return "ended as if somebody had asked it to";
  if (code === EXIT_RETRYABLE)
    return "gave up on something that may pass: an RPC endpoint, the database, a deep reorg";
  if (code === EXIT_REFUSED) return "refused to go on";
  if (code === EXIT_NOT_STARTED) return "could not be started";
  const signal = signalOf(code);
  if (signal === null) return `ended with code ${code}`;
  const likely = LIKELY[signal];
  return `was ended by ${signal}${likely === undefined ? "" : `: ${likely}`}`;
}

/** The signal behind an exit code above 128; null when there is none. */
export function signalOf(code: number): NodeJS.Signals | null {
  const found = Object.entries(constants.signals).find(([, number]) => number === code - 128);
  return found === undefined ? null : (found[0] as NodeJS.Signals);
}
