/** @module Ponder as a child process that indexes and serves the API. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { type IndexerMessage, indexerMessage } from "../../api/health/supervisor.ts";
import type { Environment, Settings } from "../../config/environment.ts";
import { type Redact, redactorOf } from "../../config/redact.ts";
import { PROJECT_ROOT, schemaNameOf } from "../../config/schema-name.ts";
import { environmentOf } from "../../config/settings-environment.ts";
import { type TurnMessage, WAITS_VARIABLE, type Waiting } from "../../config/turn.ts";
import { GIVES_BACK, YOUNG_HEAP } from "./keep-running.ts";
import { createLogLines, type LogLinesOptions } from "./log-lines.ts";

/** The shell's exit code for a command that cannot be executed. */
export const EXIT_NOT_STARTED = 126;

/** Milliseconds from the stop request to the kill. */
const STOP_TIMEOUT = 30_000;

/** Milliseconds for which an indexer that takes over has the readers' priority. */
const TAKING_OVER = 15_000;

/** Milliseconds that reading the rest of the log may take after the exit. */
const LOG_DRAIN_TIMEOUT = 5_000;

export type StartIndexerParameters = {
  readonly settings: Settings;
  /** More variables, which override those of the settings. */
  readonly env?: Environment;
  /** The modules that it loads before it waits for its turn. Default: it does not wait. */
  readonly waits?: Waiting;
  /** Whether its process also serves the API (default); otherwise readers do. */
  readonly isServing?: boolean;
  /** Receives each line of Ponder's log, without secrets. Default: this process's own output. */
  readonly onLog?: (line: string) => void;
  /** Receives the messages of the API inside. */
  readonly onMessage?: (message: IndexerMessage) => void;
};

export type Indexer = {
  readonly process: ChildProcess;
  /** Requests an orderly end, kills after the timeout, and resolves to the exit code. Can be called again. */
  stop(): Promise<number>;
  /** The exit code; 128 plus the signal's number after a signal, 126 if it never started. Never rejects. */
  readonly exited: Promise<number>;
  /** Tells one that waits to index under this tenure of the tables. */
  begin(tenure: string): void;
  /** The last failure in its log, without secrets; null before the first. */
  lastFailure(): string | null;
};

/** Runs `ponder start` with exactly these settings, regardless of this process's environment. */
export function startIndexer(parameters: StartIndexerParameters): Indexer {
  const { settings, isServing = true, onLog, onMessage } = parameters;
  const schema = schemaNameOf(settings);
  const child = spawn(process.execPath, ponderArguments(settings, schema), {
    env: {
      ...GIVES_BACK,
      ...process.env,
      ...environmentOf(settings),
      DATABASE_SCHEMA: schema,
      // As in the options; `log-lines.ts` converts the lines to the requested format.
      LOG_FORMAT: "json",
      // Ponder's server, the operator's, always listens on PORT, whatever its options, so the API's port needs another variable.
      // The other ports are not used here, and their defaults would clash with this PORT.
      PORT: String(settings.operatorPort),
      OPERATOR_PORT: "",
      METRICS_PORT: "",
      RAISEBOOK_PUBLIC_PORT: isServing ? String(settings.port) : "",
      RAISEBOOK_DAEMON: String(process.pid),
      ...(parameters.waits && { [WAITS_VARIABLE]: parameters.waits }),
      ...parameters.env,
    },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  // Readers have priority over the indexer: a backfill uses all available cores.
  const yieldToReaders = () => {
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (isServing || child.pid === undefined || hasEnded) return;
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  };
  if (!parameters.waits) yieldToReaders();
  let failure: string | null = null;
  const output = relayOutput({
    child,
    redact: redactorOf(settings),
    log: { format: settings.logFormat, level: settings.logLevel },
    onLine: onLog,
    onFailure(last) {
      failure = last;
    },
  });
  child.on("message", (message) => {
    // Libraries may use the channel too.
    const { data } = indexerMessage.safeParse(message);
    if (data === undefined) return;
    // Indexing and answering are separate, even in one process.
    if (data.kind === "unfit" && isServing) child.send(data, () => {});
    onMessage?.(data);
  });
  const ended = new Promise<number>((resolve) => {
    // A message that could not be sent to a live process is also an error, but not an exit.
    child.on("error", () => child.pid === undefined && resolve(EXIT_NOT_STARTED));
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
  // The last lines explain the exit code. A log reader that has stopped reading does not delay the end.
  const exited = ended.then((code) =>
    Promise.race([output, sleep(LOG_DRAIN_TIMEOUT, undefined, { ref: false })]).then(() => code),
  );
  const stop = async () => {
    child.kill("SIGINT");
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT);
    const code = await exited;
    clearTimeout(timer);
    return code;
  };
  const begin = (tenure: string) => {
    child.send({ kind: "turn", tenure } satisfies TurnMessage, () => {});
    // Until it begins, no process indexes.
    setTimeout(yieldToReaders, TAKING_OVER).unref();
  };
  return { process: child, stop, exited, begin, lastFailure: () => failure };
}

function ponderArguments(settings: Settings, schema: string): string[] {
  return [
    YOUNG_HEAP,
    // Hides Node's type-stripping warning.
    "--disable-warning=ExperimentalWarning",
    "--import",
    pathToFileURL(join(PROJECT_ROOT, "operate/daemon/preload.mjs")).href,
    join(PROJECT_ROOT, "operate/backfill/main.mjs"),
    "start",
    ...["--root", PROJECT_ROOT],
    ...["--schema", schema],
    ...["--hostname", "127.0.0.1"],
    ...["--log-format", "json"],
    ...["--log-level", settings.logLevel],
  ];
}

/** Milliseconds between checks for warnings that have ended. */
const CHECK_INTERVAL = 5_000;

type RelayParameters = {
  readonly child: Pick<ChildProcess, "stdout" | "stderr">;
  readonly redact: Redact;
  /** The format of the lines, which the child writes in JSON. */
  readonly log: LogLinesOptions;
  /** Receives each line. Default: this process's stream of the same name. */
  readonly onLine?: (line: string) => void;
  /** Receives the last failure that the child has logged, without secrets. */
  readonly onFailure?: (failure: string) => void;
};

/** Resolves after the last line of both streams. Never rejects. */
export async function relayOutput(parameters: RelayParameters): Promise<void> {
  const { child, redact, log, onLine, onFailure = () => {} } = parameters;
  const lines = createLogLines(log);
  const relay = async (source: Readable | null, target: Writable) => {
    if (source === null) return;
    // The log's reader is gone (`npm start | head`): `stop-request.ts` handles that.
    const ignore = () => {};
    target.on("error", ignore);
    for await (const line of createInterface({ input: source })) {
      for (const each of lines.take(line)) await write(target, each);
      const failure = lines.lastFailure();
      if (failure !== null) onFailure(redact(failure));
    }
    target.off("error", ignore);
  };
  const write = (target: Writable, line: string) => {
    const safe = redact(line);
    return onLine === undefined ? writeLine(target, safe) : onLine(safe);
  };
  const tell = async (isOver: boolean) => {
    for (const line of lines.ended(isOver)) await write(process.stdout, line);
  };
  const timer = setInterval(() => void tell(false), CHECK_INTERVAL).unref();
  await Promise.all([relay(child.stdout, process.stdout), relay(child.stderr, process.stderr)]);
  clearInterval(timer);
  await tell(true);
}

/** Waits for a slow reader, as the indexer would. */
async function writeLine(target: Writable, line: string): Promise<void> {
  if (!target.write(`${line}\n`)) await once(target, "drain").catch(() => {});
}
