/**
 * Ponder as a child process: it indexes, and serves the API.
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type IndexerMessage, indexerMessage } from "../api/health/supervisor.ts";
import { type Environment, environmentOf, type Settings } from "../config/environment.ts";
import { redactorOf } from "../config/redact.ts";
import { schemaName } from "../config/schema-name.ts";
import { colourEnvironment, relayOutput } from "./child-output.ts";
import { isRoutine } from "./routine-lines.ts";

/** The folder that holds `ponder.config.ts`. */
const PROJECT_ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The shell's code for a command that cannot be run. */
export const EXIT_NOT_STARTED = 126;

const DEFAULT_STOP_TIMEOUT = 30_000;

/** Milliseconds that the rest of the log may take after the end. */
const LAST_WORDS = 5_000;

export type StartIndexerParameters = {
  readonly settings: Settings;
  /** Variables beside those of the settings; they win. */
  readonly env?: Environment;
  /** Takes each line of Ponder's log, secrets taken out; without it the log is shown here. */
  readonly onLog?: (line: string) => void;
  /** What the API inside says of its state. */
  readonly onMessage?: (message: IndexerMessage) => void;
  /** Milliseconds from the request to stop to the kill. */
  readonly stopTimeout?: number;
};

export type Indexer = {
  readonly process: ChildProcess;
  /** Asks for an orderly end, kills what does not end in time, and resolves to the exit code. May be called twice. */
  stop(): Promise<number>;
  /** The exit code; 128 and the signal's number when a signal ended it, 126 when it never began. Never rejects. */
  readonly exited: Promise<number>;
};

/** Starts `ponder start` with exactly these settings, whatever the environment of this process says. */
export function startIndexer(parameters: StartIndexerParameters): Indexer {
  const { settings, onLog, onMessage, stopTimeout = DEFAULT_STOP_TIMEOUT } = parameters;
  const schema = schemaName(settings, PROJECT_ROOT);
  const colours = colourEnvironment(process.env, onLog === undefined && process.stdout.isTTY);
  const child = spawn(process.execPath, ponderArguments(settings, schema), {
    env: {
      ...process.env,
      ...colours,
      ...environmentOf(settings),
      DATABASE_SCHEMA: schema,
      // PORT is where Ponder's own server listens, whatever its options say: the operator's. The API has another name
      // for the port where it listens by itself.
      PORT: String(settings.operatorPort),
      OPERATOR_PORT: "",
      RAISEBOOK_PUBLIC_PORT: String(settings.port),
      ...parameters.env,
    },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const { logLevel, logFormat } = settings;
  const output = relayOutput({
    child,
    redact: redactorOf(settings),
    isSkipped: logLevel === "info" ? (line) => isRoutine(line, logFormat) : undefined,
    onLine: onLog,
  });
  if (onMessage) {
    child.on("message", (message) => {
      // Libraries may use the channel too.
      const { data } = indexerMessage.safeParse(message);
      if (data !== undefined) onMessage(data);
    });
  }
  const ended = new Promise<number>((resolve) => {
    // Also what could not be sent to a process that lives is an error here, and no end.
    child.on("error", () => child.pid === undefined && resolve(EXIT_NOT_STARTED));
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
  // Its last words say why it ended; a log that is not taken off us is not waited for.
  const exited = ended.then((code) =>
    Promise.race([output, sleep(LAST_WORDS, undefined, { ref: false })]).then(() => code),
  );
  const stop = async () => {
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
    pathToFileURL(join(PROJECT_ROOT, "daemon/preload.mjs")).href,
    join(PROJECT_ROOT, "node_modules/ponder/dist/esm/bin/ponder.js"),
    "start",
    ...["--root", PROJECT_ROOT],
    ...["--schema", schema],
    ...["--hostname", "127.0.0.1"],
    ...["--log-format", settings.logFormat],
    ...["--log-level", settings.logLevel],
  ];
}
