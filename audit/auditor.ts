/**
 * Audits inside the service: on demand, and from time to time. One at a time, and one for all who ask.
 * @module
 */
import type { Audit, AuditorState } from "../api/health/audit.ts";
import type { Log } from "../config/log.ts";
import type { OnProgress } from "./audit.ts";

/** Who asks sooner gets what the last one found. Milliseconds. */
const SOONEST = 10_000;

export type Auditor = {
  /** Begins an audit unless one is running or has just ended. */
  start(): void;
  state(): AuditorState;
  stop(): void;
};

export type AuditorParameters = {
  /** must not reject */
  audit(onProgress: OnProgress): Promise<Audit>;
  /** seconds between two audits of its own; null: none */
  every: number | null;
  log: Log;
};

/** Nothing is audited before somebody asks or the first interval has passed. */
export function createAuditor({ audit, every, log }: AuditorParameters): Auditor {
  let running: AuditorState["running"] = null;
  let last: Audit | null = null;
  let endedAt = Number.NEGATIVE_INFINITY;

  const begin = async () => {
    running = { done: 0, total: 0 };
    const result = await audit((done, total) => {
      running = { done, total };
    });
    tell(log, last, result);
    last = result;
    running = null;
    endedAt = performance.now();
  };

  const beginUnlessRunning = () => {
    if (running === null) void begin();
  };
  const timer = every === null ? undefined : setInterval(beginUnlessRunning, every * 1000).unref();
  return {
    start() {
      if (performance.now() - endedAt >= SOONEST) beginUnlessRunning();
    },
    state: () => ({ running, last }),
    stop: () => clearInterval(timer),
  };
}

/** Each turn for the worse is logged, with its figures; and the turn back. */
function tell(log: Log, before: Audit | null, { status, block, findings, problem }: Audit): void {
  if (status === "red") {
    log.error({ msg: "The audit found differences", block, findings: findings.length });
    for (const finding of findings.slice(0, 20))
      log.error({ msg: "A figure is not what it should be", ...finding });
  } else if (status === "failed") {
    if (before?.status !== "failed") log.warn({ msg: "The audit could not be done", problem });
  } else if (before !== null && before.status !== "ok") {
    log.info({ msg: "The audit finds no difference any more", block });
  }
}
