/**
 * Relays the indexer's output line by line without secrets: Ponder's own errors print whole URLs.
 * @module
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { Redact } from "../../config/redact.ts";
import { createLogLines, type LogLinesOptions } from "./log-lines.ts";

/** Milliseconds between checks for warnings that have ended. */
const CHECK_INTERVAL = 5_000;

export type RelayParameters = {
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
export async function relayOutput({
  child,
  redact,
  log,
  onLine,
  onFailure = () => {},
}: RelayParameters): Promise<void> {
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
