/**
 * Ponder as a child process: it indexes, and serves the API.
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Environment, environmentOf, type Settings } from "../config/environment.ts";
import { schemaName } from "./schema-name.ts";

/** The folder that holds `ponder.config.ts`. */
const PROJECT_ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The exit code of a process that ended on SIGINT before it could handle it. */
export const EXIT_BY_SIGINT = 128 + constants.signals.SIGINT;

const DEFAULT_STOP_TIMEOUT = 30_000;

export interface StartIndexerParameters {
  readonly settings: Settings;
  /** Variables beside those of the settings; they win. */
  readonly env?: Environment;
  /** `inherit` (default) shows Ponder's log here; `pipe` hands it to `onLog`. */
  readonly stdio?: "inherit" | "pipe";
  /** Each line of standard output and standard error, with `pipe`. */
  readonly onLog?: (line: string) => void;
  /** Milliseconds from the request to stop to the kill. */
  readonly stopTimeout?: number;
}

export interface Indexer {
  readonly process: ChildProcess;
  /** Asks for an orderly end, kills what does not end in time, and resolves to the exit code. May be called twice. */
  stop(): Promise<number>;
  /** The exit code; 128 and the signal's number when a signal ended it. Never rejects. */
  readonly exited: Promise<number>;
}

/** Starts `ponder start` with exactly these settings, whatever the environment of this process says. */
export function startIndexer(parameters: StartIndexerParameters): Indexer {
  const { settings, stdio = "inherit", onLog, stopTimeout = DEFAULT_STOP_TIMEOUT } = parameters;
  const schema = schemaName(settings, PROJECT_ROOT);
  const child = spawn(process.execPath, ponderArguments(settings, schema), {
    env: { ...process.env, ...environmentOf(settings), DATABASE_SCHEMA: schema, ...parameters.env },
    stdio: ["ignore", stdio, stdio, "ipc"],
  });
  if (onLog) {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on("line", onLog);
    }
  }
  const exited = new Promise<number>((resolve) => {
    child.once("error", () => resolve(1));
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
  const stop = async () => {
    // Not SIGTERM: after it Ponder leaves the schema locked, and the next start waits 20 s.
    child.kill("SIGINT");
    const timer = setTimeout(() => child.kill("SIGKILL"), stopTimeout);
    const code = await exited;
    clearTimeout(timer);
    return code;
  };
  return { process: child, stop, exited };
}

function ponderArguments(settings: Settings, schema: string): string[] {
  return [
    "--import",
    pathToFileURL(join(PROJECT_ROOT, "daemon/follow-parent.mjs")).href,
    join(PROJECT_ROOT, "node_modules/ponder/dist/esm/bin/ponder.js"),
    "start",
    ...["--root", PROJECT_ROOT],
    ...["--schema", schema],
    ...["--hostname", settings.host],
    ...["--port", String(settings.port)],
    ...["--log-format", settings.logFormat],
    ...["--log-level", settings.logLevel],
  ];
}
