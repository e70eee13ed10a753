/**
 * Options of the daemon's commands.
 * @module
 */
import { parseArgs } from "node:util";

/** An unusable option; the message says why. */
export class OptionError extends Error {
  override readonly name = "OptionError";
}

export type DaemonOptions = {
  readonly check: boolean;
  readonly help: boolean;
  /** number of reader processes; null: not given */
  readonly processes: number | null;
};

const MOST_PROCESSES = 64;

/** @throws {OptionError} */
export function readOptions(args: readonly string[], names: readonly (keyof DaemonOptions)[]): DaemonOptions {
  const known = {
    check: { type: "boolean" },
    help: { type: "boolean" },
    processes: { type: "string" },
  } as const;
  const { values, tokens } = parseArgs({ args: [...args], options: known, strict: false, tokens: true });
  for (const token of tokens) {
    const isKnown = token.kind === "option" && names.some((name) => name === token.name);
    if (!isKnown) throw new OptionError(`Unknown option ${JSON.stringify(args[token.index])}.`);
  }
  const { check = false, help = false, processes } = values;
  if (processes === undefined) return { check: check === true, help: help === true, processes: null };
  const count = typeof processes === "string" ? Number(processes) : Number.NaN;
  if (!Number.isInteger(count) || count < 1 || count > MOST_PROCESSES) {
    throw new OptionError(`--processes must be a whole number from 1 to ${MOST_PROCESSES}.`);
  }
  return { check: check === true, help: help === true, processes: count };
}
