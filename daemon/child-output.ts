/**
 * The indexer's output, relayed line by line without secrets: Ponder's own errors print whole URLs.
 * @module
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import type { LogFormat } from "../config/log.ts";
import type { Redact } from "../config/redact.ts";

export type RelayParameters = {
  readonly child: Pick<ChildProcess, "stdout" | "stderr">;
  readonly redact: Redact;
  /** Whether to leave a line out. */
  readonly isSkipped?: (line: string) => boolean;
  /** Takes each line. Default: this process's stream of the same name. */
  readonly onLine?: (line: string) => void;
};

/** Resolves after the last line of both streams. Never rejects. */
export async function relayOutput({ child, redact, isSkipped, onLine }: RelayParameters): Promise<void> {
  const relay = async (source: Readable | null, target: Writable) => {
    if (source === null) return;
    // Nobody reads the log any more (`npm start | head`): `stop-request.ts` handles that.
    const ignore = () => {};
    target.on("error", ignore);
    const write = onLine ?? ((line: string) => writeLine(target, line));
    for await (const line of createInterface({ input: source })) {
      if (!isSkipped?.(line)) await write(redact(line));
    }
    target.off("error", ignore);
  };
  await Promise.all([relay(child.stdout, process.stdout), relay(child.stderr, process.stderr)]);
}

/** Waits for a slow reader, as the indexer itself would. */
async function writeLine(target: Writable, line: string): Promise<void> {
  if (!target.write(`${line}\n`)) await once(target, "drain").catch(() => {});
}

/** Ponder colours its log only on a terminal, and its output is a pipe here. */
export function colourEnvironment(env: NodeJS.ProcessEnv, isTerminal: boolean): { FORCE_COLOR?: string } {
  const isSet = env.NO_COLOR !== undefined || env.FORCE_COLOR !== undefined || env.TERM === "dumb";
  return isTerminal && !isSet ? { FORCE_COLOR: "1" } : {};
}

/** Whether a line of level `info` is one of those that come with every block, 192,000 a day at 0.45 s a block. */
export function isRoutine(line: string, format: LogFormat): boolean {
  return format === "json" ? isRoutineJson(line) : isRoutineText(stripVTControlCharacters(line));
}

/** Blocks without events, and blocks that became final. */
function isRoutineText(line: string): boolean {
  return /^[\d:.]+ INFO {2}(Indexed block .*\bevent_count=0\b|Finalized block )/.test(line);
}

function isRoutineJson(line: string): boolean {
  // Parses few lines: nearly all are other messages, or not JSON.
  if (!/"msg":"(Indexed|Finalized) block"/.test(line)) return false;
  try {
    const { level, msg, event_count } = JSON.parse(line) as Record<string, unknown>;
    return level === 30 && (msg === "Finalized block" || event_count === 0);
  } catch {
    return false;
  }
}
