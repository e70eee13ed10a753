/** @module The log of the daemon and the API: one line per message, formatted like Ponder's own lines so that both read as one stream. */
import { styleText } from "node:util";

export const LOG_LEVELS = ["error", "warn", "info", "debug", "trace"] as const;
export const LOG_FORMATS = ["pretty", "json"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFormat = (typeof LOG_FORMATS)[number];

/** `msg` says what happened; the facts are separate fields, never part of its text. */
type LogEntry = { readonly msg: string; readonly [field: string]: unknown };

/** On a terminal that supports them, unless NO_COLOR or FORCE_COLOR decide. */
const COLOURS = { error: "red", warn: "yellow", info: "green", debug: "blue", trace: "gray" } as const;

type Write = (entry: LogEntry) => void;

export type Logger = {
  readonly error: Write;
  readonly warn: Write;
  readonly info: Write;
  readonly debug: Write;
};

export type LogOptions = {
  readonly format: LogFormat;
  readonly level: LogLevel;
  /** Takes each finished line with its line feed. Default: standard output. */
  readonly write?: (line: string) => void;
  /** The clock, for tests. */
  readonly now?: () => Date;
};

/**
 * Makes a log. Entries below `level` are dropped.
 *
 * @example
 * const log = createLogger({ format: "pretty", level: "info" });
 * log.info({ msg: "Loaded the registry", listings: 20 }); // 12:00:00.000 INFO  Loaded the registry listings=20
 */
export function createLogger(options: LogOptions): Logger {
  const write = options.write ?? ((line: string) => void process.stdout.write(line));
  const now = options.now ?? (() => new Date());
  const threshold = LOG_LEVELS.indexOf(options.level);

  const writer = (level: LogLevel): Write => {
    if (LOG_LEVELS.indexOf(level) > threshold) return () => {};
    return (entry) => write(`${formatEntry(options.format, level, now(), entry)}\n`);
  };
  return { error: writer("error"), warn: writer("warn"), info: writer("info"), debug: writer("debug") };
}

/** An entry as a line of the log, without its line feed. */
export function formatEntry(format: LogFormat, level: LogLevel, time: Date, entry: LogEntry): string {
  return format === "json" ? jsonLine(level, time, entry) : prettyLine(level, time, entry);
}

function jsonLine(level: LogLevel, time: Date, entry: LogEntry): string {
  return JSON.stringify({ time: time.getTime(), level, ...entry }, (_key, value: unknown) =>
    toJsonValue(value),
  );
}

function prettyLine(level: LogLevel, time: Date, { msg, ...fields }: LogEntry): string {
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => pad(part, 2)).join(":");
  const facts = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${prettyValue(value)}`);
  const label = styleText(COLOURS[level], level.toUpperCase().padEnd(5), { stream: process.stdout });
  return `${clock}.${pad(time.getMilliseconds(), 3)} ${label} ${escapeControl(`${msg}${facts.join("")}`)}`;
}

function prettyValue(value: unknown): string {
  const simple = toJsonValue(value);
  return typeof simple === "object"
    ? JSON.stringify(simple, (_key, inner: unknown) => toJsonValue(inner))
    : String(simple);
}

/** Makes big integers and errors serialisable. Only an error's message is kept: its stack names local files. */
function toJsonValue(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  return value;
}

/** The log may contain untrusted text: its line feeds must not forge lines, nor its escape codes move the cursor. */
function escapeControl(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (character) => {
    if (character === "\n") return "\\n";
    return `\\u${pad(character.charCodeAt(0), 4, 16)}`;
  });
}

function pad(value: number, width: number, radix = 10): string {
  return value.toString(radix).padStart(width, "0");
}
