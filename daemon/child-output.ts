/**
 * What the indexer's process writes, line by line and without secrets: Ponder's own errors print whole URLs.
 * @module
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { Redact } from "../config/redact.ts";

export type RelayParameters = {
  readonly child: Pick<ChildProcess, "stdout" | "stderr">;
  readonly redact: Redact;
  /** Whether a line is left out. */
  readonly isSkipped?: (line: string) => boolean;
  /** Takes each line; without it a line goes to the stream of this process that has its name. */
  readonly onLine?: (line: string) => void;
};

/** Resolves when both streams have ended and their last lines are written. Never rejects. */
export async function relayOutput({ child, redact, isSkipped, onLine }: RelayParameters): Promise<void> {
  const relay = async (source: Readable | null, target: Writable) => {
    if (source === null) return;
    // Nobody reads the log any more (`npm start | head`). What follows from that, `stop-request.ts` decides.
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

/** A slow reader holds the writer up, as it would hold up the indexer itself. */
async function writeLine(target: Writable, line: string): Promise<void> {
  if (!target.write(`${line}\n`)) await once(target, "drain").catch(() => {});
}

/** Ponder colours its log on a terminal alone, and its own output is a pipe. */
export function colourEnvironment(env: NodeJS.ProcessEnv, isTerminal: boolean): { FORCE_COLOR?: string } {
  const isDecided = env.NO_COLOR !== undefined || env.FORCE_COLOR !== undefined || env.TERM === "dumb";
  return isTerminal && !isDecided ? { FORCE_COLOR: "1" } : {};
}
