/**
 * Audits inside the service, on demand and on a schedule, one at a time.
 * @module
 */
import type { Audit, Auditor, AuditorState } from "../../api/health/audit.ts";
import type { Logger } from "../../config/log.ts";
import type { OnProgress } from "./audit.ts";

/** Milliseconds after an audit during which requests get its result instead of a new audit. */
const COOLDOWN = 10_000;
/** Milliseconds between progress notices of a running audit. */
const NOTICE_INTERVAL = 1_000;

export type AuditorParameters = {
  /** must not reject */
  audit(onProgress: OnProgress): Promise<Audit>;
  /** seconds between scheduled audits; null: none */
  every: number | null;
  log: Logger;
  /** called when an audit begins or ends, and once a second in between */
  onChange?: ((state: AuditorState) => void) | undefined;
};

/** The first audit runs at the first request, or after the first interval. */
export function createAuditor({
  audit,
  every,
  log,
  onChange,
}: AuditorParameters): Auditor & { stop(): void } {
  let running: AuditorState["running"] = null;
  let last: Audit | null = null;
  let endedAt = Number.NEGATIVE_INFINITY;

  const begin = async () => {
    running = { done: 0, total: 0 };
    onChange?.({ running, last });
    let noticedAt = performance.now();
    const result = await audit((done, total) => {
      running = { done, total };
      if (performance.now() - noticedAt < NOTICE_INTERVAL) return;
      noticedAt = performance.now();
      onChange?.({ running, last });
    });
    logResult(log, last, result);
    last = result;
    running = null;
    endedAt = performance.now();
    onChange?.({ running, last });
  };

  const beginUnlessRunning = () => {
    if (running === null) void begin();
  };
  const timer = every === null ? undefined : setInterval(beginUnlessRunning, every * 1000).unref();
  return {
    start() {
      if (performance.now() - endedAt >= COOLDOWN) beginUnlessRunning();
    },
    state: () => ({ running, last }),
    stop: () => clearInterval(timer),
  };
}

/** Logs every change for the worse, with its findings, and the recovery. */
function logResult(log: Logger, before: Audit | null, { status, block, findings, problem }: Audit): void {
  if (status === "red") {
    log.error({ msg: "The audit found differences", block, findings: findings.length });
    for (const finding of findings.slice(0, 20)) log.error({ msg: "A figure is wrong", ...finding });
  } else if (status === "failed") {
    if (before?.status !== "failed") log.warn({ msg: "The audit failed", problem });
  } else if (before !== null && before.status !== "ok") {
    log.info({ msg: "The audit finds no differences any more", block });
  }
}
