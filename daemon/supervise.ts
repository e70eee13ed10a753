/**
 * Keeps the indexer running: whatever ends it is logged, and what a new start can mend is started again, later and
 * later; all else ends the daemon.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type IndexerMessage, NO_RESTARTS, type Restarts } from "../api/health/supervisor.ts";
import type { Problem } from "../config/environment.ts";
import type { Log } from "../config/log.ts";
import { EXIT_REFUSED, exitCause, signalOf } from "./exit-cause.ts";
import type { Indexer } from "./indexer.ts";

export type Run = {
  readonly restarts: Restarts;
  /** The WebSocket went silent once: new blocks are polled for from then on. */
  readonly webSocketFailed: boolean;
  readonly onMessage: (message: IndexerMessage) => void;
};

export type SuperviseParameters = {
  readonly start: (run: Run) => Promise<Pick<Indexer, "stop" | "exited">>;
  /** What makes a new start pointless now and may pass: a taken port, a database or all nodes away. */
  readonly obstacles: () => Promise<readonly Problem[]>;
  /** Whether the indexer learns of new blocks from a WebSocket. */
  readonly usesWebSocket: boolean;
  readonly log: Pick<Log, "warn" | "error">;
  /** Aborts when somebody asks the daemon to stop. */
  readonly signal: AbortSignal;
  /** Milliseconds. The delay doubles from the first to the longest, and begins again after a run of `steadyAfter`. */
  readonly firstDelay?: number;
  readonly longestDelay?: number;
  readonly steadyAfter?: number;
  /** Runs in a row that ended soon, with the backfill not over, until the daemon gives up. */
  readonly mostFailures?: number;
};

/** Resolves to the exit code for the daemon: 0 after a requested stop. */
export async function supervise(parameters: SuperviseParameters): Promise<number> {
  const { start, obstacles, usesWebSocket, log, signal } = parameters;
  const { firstDelay = 1_000, longestDelay = 60_000, steadyAfter = 600_000, mostFailures = 8 } = parameters;
  let delay = firstDelay;
  let failures = 0;
  let restarts = NO_RESTARTS;
  let webSocketFailed = false;

  const pause = async () => {
    await sleep(delay, undefined, { signal }).catch(() => {});
    delay = Math.min(2 * delay, longestDelay);
  };

  while (!signal.aborted) {
    const run: { live: boolean; stall: string | null } = { live: false, stall: null };
    const startedAt = performance.now();
    const indexer = await start({
      restarts,
      webSocketFailed,
      onMessage(message) {
        if (message.kind === "live") {
          run.live = true;
          return;
        }
        const stopped = `was stopped at block ${message.indexed} of ${message.head}`;
        if (usesWebSocket && !webSocketFailed) {
          webSocketFailed = true;
          run.stall = `${stopped}: the WebSocket is silent, new blocks are polled for from now on`;
        } else if (message.isLong) {
          // Not at once: most often the RPC is behind it, and meanwhile the answers stay up.
          run.stall = `${stopped}: it had stood still for minutes`;
        } else {
          return;
        }
        void indexer.stop();
      },
    });
    const stop = () => void indexer.stop();
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    const code = await indexer.exited;
    signal.removeEventListener("abort", stop);
    if (signal.aborted) return codeOfStop(code);

    const cause = run.stall ?? exitCause(code);
    const steady = performance.now() - startedAt >= steadyAfter;
    failures = run.live || steady ? 0 : failures + 1;
    if (code === EXIT_REFUSED && run.stall === null) {
      log.error({
        msg: "The indexer refused to go on, which a new start would not mend; its log says why",
        code,
      });
      return code;
    }
    if (failures >= mostFailures) {
      log.error({
        msg: `The indexer failed ${failures} times in a row before it was live; its log says why`,
        cause,
        code,
      });
      return code;
    }
    if (steady) delay = firstDelay;
    restarts = { count: restarts.count + 1, reason: cause };
    log.warn({ msg: "The indexer ended and will be started again", cause, code, delayMs: delay });
    await pause();
    while (!signal.aborted) {
      const problems = await obstacles();
      if (problems.length === 0) break;
      for (const { variable, problem } of problems)
        log.warn({ msg: `${variable} ${problem}`, delayMs: delay });
      await pause();
    }
  }
  return 0;
}

/** A signal to the whole group may end the indexer before it can handle it; one that had to be killed is told. */
function codeOfStop(code: number): number {
  const signal = signalOf(code);
  return signal === "SIGINT" || signal === "SIGTERM" || signal === "SIGHUP" ? 0 : code;
}
