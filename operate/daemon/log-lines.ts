/**
 * Condenses the indexer's log: a line for each change, none for routine, and for a repeated warning one line when it begins and
 * one when it has ended. Ponder retries a request to a silent node several times a second, each time with a page of stack.
 * @module
 */
import { formatEntry, LOG_LEVELS, type LogFormat, type LogLevel } from "../../config/log.ts";

/**
 * Milliseconds without a repetition after which a warning has ended: longer than Ponder's longest pause between retries (32 s),
 * and than a request (10 s).
 */
const QUIET = 45_000;
/** Maximum length of an error in a line. */
const LONGEST_ERROR = 300;
/** Lines in which an error of viem repeats the request. */
const REPEATED = /^(URL|Request body|Request Arguments|Docs): /;
/** It precedes the cause. */
const VERSION = /^Version: viem@[\d.]+:?\s*/;

export type LogLinesOptions = {
  readonly format: LogFormat;
  readonly level: LogLevel;
  /** Milliseconds; the clock, for tests. */
  readonly now?: () => number;
};

export type LogLines = {
  /** The lines that replace a line. */
  take(line: string): string[];
  /** One line for each warning that has ended; at the end of the log, one for each repeated warning. */
  ended(isOver?: boolean): string[];
  /** the last warning or error with a reason, in a few words; null before the first */
  lastFailure(): string | null;
};

/** In the JSON form of Ponder and `config/log.ts`. */
type LogEntry = { readonly time: number; readonly msg: string; readonly [field: string]: unknown };
type Repeated = { of: LogEntry; times: number; first: number; last: number };

/** Expects lines of JSON; any other line stays as it is. */
export function createLogLines({ format, level: threshold, now = Date.now }: LogLinesOptions): LogLines {
  const repeated = new Map<string, Repeated>();
  let lastFailure: string | null = null;
  const isVerbose = LOG_LEVELS.indexOf(threshold) > LOG_LEVELS.indexOf("info");

  const ended = (isOver = false): string[] => {
    const lines: string[] = [];
    for (const [key, { of, times, first, last }] of repeated) {
      if (!isOver && now() - last < QUIET) continue;
      repeated.delete(key);
      if (times === 1 || threshold === "error" || threshold === "warn") continue;
      const { msg, hostname, method } = of;
      const seconds = Math.round((last - first) / 1000);
      const entry = { msg: "A repeated warning has ended", of: msg, hostname, method, times, seconds };
      lines.push(formatEntry(format, "info", new Date(now()), entry));
    }
    return lines;
  };

  const take = (line: string): string[] => {
    const entry = entryOf(line);
    if (entry === null) return [line];
    const level = levelOf(entry.level);
    if (entry.error !== undefined && (level === "warn" || level === "error")) lastFailure = failureOf(entry);
    if (!isVerbose && level === "info" && isRoutine(entry)) return [];
    const lines = ended();
    // Numeric levels are Ponder's; our own log reports changes and repeats nothing.
    if (!isVerbose && level === "warn" && typeof entry.level === "number") {
      const key = typeof entry.method === "string" ? `${entry.hostname} ${entry.method}` : entry.msg;
      const before = repeated.get(key);
      if (before !== undefined) {
        before.times += 1;
        before.last = now();
        return lines;
      }
      repeated.set(key, { of: entry, times: 1, first: now(), last: now() });
    }
    const { time, level: _, ...all } = entry;
    const isWhole = isVerbose || level === "error";
    if (format === "json" && isWhole) return [...lines, formatEntry(format, level, new Date(time), all)];
    const { chain_id, request, request_id, duration, error, ...fields } = all;
    const shown = {
      ...fields,
      duration: typeof duration === "number" ? `${Math.round(duration)}ms` : duration,
      error: error === undefined ? undefined : summaryOf(error),
    };
    const stack = isWhole ? stackOf(error) : [];
    return [...lines, formatEntry(format, level, new Date(time), shown), ...stack];
  };
  return { take, ended, lastFailure: () => lastFailure };
}

function entryOf(line: string): LogEntry | null {
  if (!line.startsWith("{")) return null;
  try {
    const entry = JSON.parse(line) as Partial<LogEntry> & { hostnames?: unknown };
    // A local endpoint is in ponder.config.ts many times.
    if (typeof entry.hostnames === "string")
      entry.hostnames = JSON.stringify([...new Set(JSON.parse(entry.hostnames) as string[])]);
    return typeof entry.time === "number" && typeof entry.msg === "string" ? (entry as LogEntry) : null;
  } catch {
    return null;
  }
}

/** Ponder's levels are pino's numbers. */
function levelOf(level: unknown): LogLevel {
  const name = typeof level === "number" ? LOG_LEVELS[5 - Math.floor(level / 10)] : level;
  return LOG_LEVELS.find((one) => one === name) ?? "info";
}

/** Messages that come with every block, 192,000 times a day at 0.45 s a block: blocks without events, and finalised blocks. */
function isRoutine({ msg, event_count }: LogEntry): boolean {
  return msg === "Finalized block" || (msg === "Indexed block" && event_count === 0);
}

/** An error in one line: its name, and its message without the request. */
function summaryOf(error: unknown): string {
  const { name, message = String(error) } = Object(error) as { name?: string; message?: string };
  const told = `${name === undefined ? "" : `${name}: `}${message}`
    .split("\n")
    .map((part) => part.replace(VERSION, ""))
    .filter((part) => part.trim() !== "" && !REPEATED.test(part))
    .join(" ");
  return told.length > LONGEST_ERROR ? `${told.slice(0, LONGEST_ERROR)}…` : told;
}

/** Without the host, which may identify the operator's account at a provider. */
function failureOf({ msg, method, error }: LogEntry): string {
  return `${msg}${typeof method === "string" ? ` (${method})` : ""}: ${summaryOf(error)}`;
}

function stackOf(error: unknown): string[] {
  const { stack } = (error ?? {}) as { stack?: unknown };
  return typeof stack === "string" ? stack.split("\n").slice(1) : [];
}
