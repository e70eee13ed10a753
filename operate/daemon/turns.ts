/**
 * Indexes while the tables in PostgreSQL are this start's own, and stands by otherwise: with an indexer that is loaded already, as
 * loading takes longer than anything else of taking over.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../../config/log.ts";
import type { Indexer } from "./indexer.ts";
import { type LeaseParameters, type Tenure, takeTables } from "./lease.ts";

/** Milliseconds before another one waits in the place of one that has ended. */
const RESTART_AFTER = 10_000;

export type TurnsParameters = {
  readonly lease: Omit<LeaseParameters, "signal" | "onStandby">;
  /** Waits already, in case the tables are free; otherwise it ends. */
  readonly early: Indexer | null;
  /** Starts an indexer that waits, loaded. */
  startSpare(): Indexer;
  /** Indexes until the tables are lost or a stop is requested; resolves to the daemon's exit code. */
  index(tenure: Tenure, spare: Indexer | null): Promise<number>;
  readonly log: Pick<Logger, "warn">;
  /** Aborts on a request to stop the daemon. */
  readonly signal: AbortSignal;
};

/** @returns the daemon's exit code. @throws {SettingsError} if the start that indexes has other settings */
export async function takeTurns(parameters: TurnsParameters): Promise<number> {
  const { startSpare, index, log, signal } = parameters;
  let { lease, early } = parameters;
  for (;;) {
    const spare = keepSpare(startSpare, log);
    const onStandby = () => {
      early?.process.kill("SIGKILL");
      early = null;
      spare.start();
    };
    const tenure = await takeTables({ ...lease, signal, onStandby });
    const indexer = early ?? spare.take();
    early = null;
    if (tenure === null) {
      // It has nothing to finish.
      indexer?.process.kill("SIGKILL");
      await indexer?.exited;
      return 0;
    }
    // The registry may change during a tenure, and the readers follow it.
    const { REGISTRY: _, ...shared } = lease.shared;
    lease = { ...lease, shared };
    try {
      const code = await index(tenure, indexer);
      if (signal.aborted || !tenure.lost.aborted) return code;
      log.warn({
        msg: "Another start has taken the tables over: this one has stopped its indexer",
        schema: lease.schema,
      });
    } finally {
      // It may still wait for its beginning.
      indexer?.process.kill("SIGKILL");
      await tenure.release();
    }
  }
}

/** Has an indexer wait from the start on until it is taken; one that ends meanwhile is started again. */
function keepSpare(startIndexer: () => Indexer, log: TurnsParameters["log"]) {
  let current: Indexer | null = null;
  let isTaken = false;
  const start = () => {
    const indexer = startIndexer();
    current = indexer;
    void indexer.exited.then(async (code) => {
      current = null;
      if (isTaken) return;
      log.warn({
        msg: "The waiting indexer ended and will be restarted",
        code,
        delayMs: RESTART_AFTER,
      });
      await sleep(RESTART_AFTER, undefined, { ref: false });
      if (!isTaken) start();
    });
  };
  const take = () => {
    isTaken = true;
    return current;
  };
  return { start, take };
}

/** Under a tenure an indexer ends at once when it is lost, and an end is not judged before it is known whether it is. */
export function underTenure(indexer: Indexer, tenure: Pick<Tenure, "lost" | "confirm">): Indexer {
  const kill = () => indexer.process.kill("SIGKILL");
  tenure.lost.addEventListener("abort", kill, { once: true });
  if (tenure.lost.aborted) kill();
  const exited = indexer.exited.then(async (code) => {
    await tenure.confirm();
    return code;
  });
  return { ...indexer, exited };
}
