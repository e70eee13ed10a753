/**
 * Indexes while the tables in PostgreSQL are this start's own, and stands by otherwise: with an indexer that is loaded already, as
 * loading takes longer than anything else of taking over.
 * @module
 */
import type { Logger } from "../../config/log.ts";
import type { Indexer } from "./indexer.ts";
import { type LeaseParameters, type Tenure, takeTables } from "./lease.ts";

/** Milliseconds for an indexer that waits to end: it has nothing to finish. */
const STOP_TIMEOUT = 2_000;

export type TurnsParameters = {
  readonly lease: Omit<LeaseParameters, "signal" | "onStandby">;
  /** Starts an indexer that waits. */
  startSpare(stopTimeout: number): Indexer;
  /** Indexes until the tables are lost or a stop is requested; resolves to the daemon's exit code. */
  index(tenure: Tenure, spare: Indexer | null): Promise<number>;
  readonly log: Pick<Logger, "warn">;
  /** Aborts on a request to stop the daemon. */
  readonly signal: AbortSignal;
};

/** @returns the daemon's exit code. @throws {SettingsError} if the start that indexes has other settings */
export async function takeTurns({ lease, startSpare, index, log, signal }: TurnsParameters): Promise<number> {
  for (;;) {
    const spare: { indexer: Indexer | null } = { indexer: null };
    const onStandby = () => {
      spare.indexer = startSpare(STOP_TIMEOUT);
    };
    const tenure = await takeTables({ ...lease, signal, onStandby });
    if (tenure === null) {
      await spare.indexer?.stop();
      return 0;
    }
    try {
      const code = await index(tenure, spare.indexer);
      if (signal.aborted || !tenure.lost.aborted) return code;
      log.warn({
        msg: "Another start has taken the tables over: this one has stopped its indexer",
        schema: lease.schema,
      });
    } finally {
      await tenure.release();
    }
  }
}

/** Under a tenure an indexer ends at once when it is lost, and an end is not judged before it is known whether it is. */
export function underTenure(indexer: Indexer, tenure: Tenure): Indexer {
  const kill = () => indexer.process.kill("SIGKILL");
  tenure.lost.addEventListener("abort", kill, { once: true });
  if (tenure.lost.aborted) kill();
  const exited = indexer.exited.then(async (code) => {
    await tenure.confirm();
    return code;
  });
  return { ...indexer, exited };
}
