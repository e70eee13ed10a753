/** @module Reader processes next to the indexer: they answer from PostgreSQL, whatever the indexer is doing. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type IndexerMessage, indexerMessage, type ReaderMessage } from "../../api/health/supervisor.ts";
import { CLOSE_TIMEOUT } from "../../config/defaults.ts";
import { readersMetricsPort, type Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import { PROJECT_ROOT } from "../../config/schema-name.ts";
import { environmentOf } from "../../config/settings-environment.ts";
import {
  endOf,
  GIVES_BACK,
  keepRunning,
  type ProcessEnd,
  watchHeartbeats,
  YOUNG_HEAP,
} from "./keep-running.ts";

/** Tells a reader that the daemon audits, and has messages for it. */
const SUPERVISED = "RAISEBOOK_SUPERVISED";
export const IS_SUPERVISED = process.env[SUPERVISED] === "1";

/** Exit code of a reader that must not be restarted, because readers of another release serve now. */
export const EXIT_REPLACED = 79;

/** At once after a steady run, since nothing answers meanwhile. */
const DELAYS = { first: 0, shortest: 1_000, longest: 30_000, steadyAfter: 60_000 };
/** Milliseconds from the request to stop to the kill. */
const STOP_TIMEOUT = CLOSE_TIMEOUT + 5_000;

export type KeepReadersParameters = {
  readonly settings: Settings;
  /** How many, all on one port. */
  readonly processes: number;
  readonly log: Pick<Logger, "warn">;
  readonly onMessage: (message: IndexerMessage) => void;
  /** The readers have left to those of another release, and are not started again. */
  readonly onReplaced: () => void;
  /** Whether readers that have ended otherwise are started again. */
  readonly restarts: () => boolean;
  /** Aborts on a request to stop the daemon. */
  readonly signal: AbortSignal;
};

export type Readers = {
  /** Tells all of them, and those that start later. */
  tell(message: ReaderMessage): void;
  /** Resolves when the last one is gone after the signal. */
  readonly ended: Promise<void>;
};

/** Keeps the readers running until the signal. */
export function keepReaders(parameters: KeepReadersParameters): Readers {
  const { log, onMessage, onReplaced, restarts, signal } = parameters;
  const told = new Map<ReaderMessage["kind"], ReaderMessage>();
  let current: ChildProcess | null = null;

  const start = () => {
    const child = spawnReaders(parameters);
    // Such as when the machine has no room for another process. It has no channel for messages.
    if (child.pid === undefined) return { exited: endOf(child), stop() {} };
    current = child;
    watchHeartbeats(child, log);
    for (const message of told.values()) child.send(message, () => {});
    child.on("message", (message) => {
      const { data } = indexerMessage.safeParse(message);
      if (data !== undefined) onMessage(data);
    });
    const stop = () => {
      child.kill("SIGTERM");
      setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT).unref();
    };
    return { exited: endOf(child), stop };
  };
  const onEnd = ({ code, signal }: ProcessEnd, { delayMs }: { delayMs: number }) => {
    current = null;
    if (code === EXIT_REPLACED) {
      onReplaced();
      return false;
    }
    if (!restarts()) return false;
    log.warn({ msg: "The readers ended and will be started again", code, signal, delayMs });
    return true;
  };
  const ended = keepRunning({ start, onEnd, delays: DELAYS, signal }).then(() => {});
  return {
    tell(message) {
      told.set(message.kind, message);
      // An error means that it is about to be started again, and told then.
      current?.send(message, () => {});
    },
    ended,
  };
}

function spawnReaders({ settings, processes }: KeepReadersParameters): ChildProcess {
  const from = (path: string) => pathToFileURL(join(PROJECT_ROOT, path)).href;
  const imports = ["--import", from("config/require-node.mjs"), "--import", from("config/bundle.mjs")];
  const main = join(PROJECT_ROOT, "operate/daemon/serve-main.ts");
  return spawn(process.execPath, [YOUNG_HEAP, ...imports, main, "--processes", String(processes)], {
    env: {
      ...GIVES_BACK,
      ...process.env,
      ...environmentOf({ ...settings, metricsPort: readersMetricsPort(settings) }),
      [SUPERVISED]: "1",
    },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
}
