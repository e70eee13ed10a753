/**
 * Keeps the indexer running. Every exit is logged; an indexer that a restart can help is restarted with a growing delay, and
 * any other exit ends the daemon.
 * @module
 */
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type IndexProgress, NO_RESTARTS, type Restarts } from "../../api/health/supervisor.ts";
import { EXIT_RETRYABLE } from "../../config/end-to-restart.ts";
import { oneLine } from "../../config/format/untrusted-text.ts";
import type { Logger } from "../../config/log.ts";
import type { Problem } from "../../config/problems.ts";
import { EXIT_NOT_STARTED, type Indexer } from "./indexer.ts";
import { keepRunning } from "./keep-running.ts";

/** Ponder's and Node's exit code for what a restart does not fix: a failed build, a handler that throws. */
const EXIT_REFUSED = 1;

/** Characters of the last failure in the reason for a restart, which is public. */
const LONGEST_FAILURE = 200;

export type Run = {
  readonly restarts: Restarts;
  /** The WebSocket has gone silent once; new blocks are polled from then on. */
  readonly webSocketFailed: boolean;
  readonly onMessage: (message: IndexProgress) => void;
};

/** Passes messages of readers on to the indexer that runs. A `live` that comes while none runs is for the first one alone. */
export function createProgress() {
  let run: Pick<Run, "onMessage"> | null = null;
  let wasLive = false;
  return {
    onMessage(message: IndexProgress) {
      if (run !== null) run.onMessage(message);
      else wasLive ||= message.kind === "live";
    },
    begin(next: Pick<Run, "onMessage">) {
      run = next;
      if (wasLive) next.onMessage({ kind: "live" });
      wasLive = false;
    },
    end() {
      run = null;
    },
  };
}

export type SuperviseParameters = {
  readonly start: (run: Run) => Promise<Pick<Indexer, "stop" | "exited" | "lastFailure">>;
  /** Passing problems that make a restart after an end with this code pointless now: a taken port, no database, no node. */
  readonly obstacles: (code: number) => Promise<readonly Problem[]>;
  /** Whether a WebSocket announces new blocks to the indexer. */
  readonly usesWebSocket: boolean;
  readonly log: Pick<Logger, "info" | "warn" | "error">;
  /** Aborts on a request to stop the daemon. */
  readonly signal: AbortSignal;
  /** Milliseconds. The delay doubles from the first to the longest. It is the first again after a run of `steadyAfter`, and after an obstacle. */
  readonly firstDelay?: number;
  readonly longestDelay?: number;
  readonly steadyAfter?: number;
  /** Milliseconds between checks of an obstacle. Someone else removes it, and the indexer then starts at once. */
  readonly obstacleInterval?: number;
  /** Consecutive runs that end early and before the backfill is over, after which the daemon gives up. */
  readonly mostFailures?: number;
};

/** Resolves to the daemon's exit code: 0 after a requested stop. */
export async function supervise(parameters: SuperviseParameters): Promise<number> {
  const { start, obstacles, usesWebSocket, log, signal } = parameters;
  const { firstDelay = 1_000, longestDelay = 60_000, steadyAfter = 600_000 } = parameters;
  const { obstacleInterval = 5_000, mostFailures = 8 } = parameters;
  let failures = 0;
  let restarts = NO_RESTARTS;
  let webSocketFailed = false;
  let lastCode = 0;
  let run: { live: boolean; stall: string | null } = { live: false, stall: null };

  const startIndexer = async () => {
    const current = { live: false, stall: null as string | null };
    run = current;
    const indexer = await start({
      restarts,
      webSocketFailed,
      onMessage(message) {
        if (message.kind === "live") {
          current.live = true;
          return;
        }
        const stopped = `was stopped at block ${message.indexed} of ${message.head}`;
        if (usesWebSocket && !webSocketFailed) {
          webSocketFailed = true;
          current.stall = `${stopped}: the WebSocket is silent, new blocks are polled from now on`;
        } else if (message.isLong) {
          // Not at once: the RPC is the usual cause, and the API stays up meanwhile.
          const failure = indexer.lastFailure();
          const last = failure === null ? "" : `; its last failure: ${oneLine(failure, LONGEST_FAILURE)}`;
          current.stall = `${stopped}: it had stalled for minutes${last}`;
        } else {
          return;
        }
        void indexer.stop();
      },
    });
    return indexer;
  };

  const onEnd = (code: number, { delayMs, isSteady }: { delayMs: number; isSteady: boolean }) => {
    const cause = run.stall ?? exitCause(code);
    failures = run.live || isSteady ? 0 : failures + 1;
    if (code === EXIT_REFUSED && run.stall === null) {
      log.error({ msg: "The indexer gave up for a reason that a restart does not fix; see its log", code });
      return false;
    }
    if (failures >= mostFailures) {
      const msg = `The indexer failed ${failures} times in a row before it was live; see its log`;
      log.error({ msg, cause, code });
      return false;
    }
    lastCode = code;
    restarts = { count: restarts.count + 1, reason: cause };
    log.warn({ msg: "The indexer ended and will be restarted", cause, code, delayMs });
    return true;
  };

  /** Each obstacle is one line when it is met, and all of them together one when the last is gone. */
  const untilPossible = async () => {
    const met = new Set<string>();
    const waitingSince = performance.now();
    while (!signal.aborted) {
      const problems = await obstacles(lastCode);
      if (problems.length === 0) break;
      for (const { variable, problem } of problems) {
        const msg = `${variable} ${problem}`;
        if (!met.has(msg)) log.warn({ msg });
        met.add(msg);
      }
      await sleep(obstacleInterval, undefined, { signal }).catch(() => {});
    }
    const seconds = Math.round((performance.now() - waitingSince) / 1000);
    if (met.size > 0 && !signal.aborted) log.info({ msg: "The indexer can start again", seconds });
    return met.size > 0;
  };

  const delays = { shortest: firstDelay, longest: longestDelay, steadyAfter };
  const code = await keepRunning({ start: startIndexer, onEnd, untilPossible, delays, signal });
  if (code === null) return 0;
  // A signal to the whole group may end the indexer before it can handle it. A kill is not an orderly stop.
  return signal.aborted && STOPS.has(signalOf(code)) ? 0 : code;
}

const STOPS = new Set<NodeJS.Signals | null>(["SIGINT", "SIGTERM", "SIGHUP"]);

const LIKELY_CAUSES: Partial<Record<NodeJS.Signals, string>> = {
  SIGKILL: "most likely the system was out of memory, or somebody killed it",
  SIGABRT: "most likely its heap was full (NODE_OPTIONS=--max-old-space-size=… gives it more)",
  SIGSEGV: "a crash inside Node.js",
  SIGBUS: "a crash inside Node.js",
};

/** Completes "The indexer …". */
function exitCause(code: number): string {
  if (code === 0) return "ended as if asked to";
  if (code === EXIT_RETRYABLE)
    return "gave up on something that may pass: an RPC endpoint, the database, missing events, a deep reorg";
  if (code === EXIT_REFUSED) return "gave up for good";
  if (code === EXIT_NOT_STARTED) return "could not be started";
  const signal = signalOf(code);
  if (signal === null) return `ended with code ${code}`;
  const cause = LIKELY_CAUSES[signal];
  return `was ended by ${signal}${cause === undefined ? "" : `: ${cause}`}`;
}

/** The signal behind an exit code above 128; null when there is none. */
function signalOf(code: number): NodeJS.Signals | null {
  const entry = Object.entries(constants.signals).find(([, number]) => number === code - 128);
  return entry === undefined ? null : (entry[0] as NodeJS.Signals);
}
