/** @module The end of an indexer after which the daemon starts it again. */

/** Ponder's exit code for transient failures: of an endpoint or the database, or a reorg deeper than its window. */
export const EXIT_RETRYABLE = 75;

/** Ends this indexer in order. Ponder's own exit code after a signal, 0, would look like a stop that was asked for. */
export function endToRestart(): void {
  process.once("exit", () => {
    process.exitCode = EXIT_RETRYABLE;
  });
  process.kill(process.pid, "SIGINT");
}
