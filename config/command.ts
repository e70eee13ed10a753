/** @module How every command parses its arguments: `--help`, and exit code 2 with one sentence for invalid ones. */
import { loadEnvFile } from "node:process";
import { Command, InvalidArgumentError } from "@commander-js/extra-typings";

const EXIT_UNUSABLE = 2;

export const SETTINGS_TEXT =
  "The settings are those of npm start (from the environment, --env-file, .env.local and .env).";

type CommandHelp = {
  /** Paragraphs below the options. */
  readonly more?: string;
  readonly exitCodes?: Readonly<Record<string, string>>;
};

/**
 * A command by its full name. Invalid arguments and `--help` end the process.
 * @example
 * const { json } = commandOf("raisebook audit", "Compares …").option("--json", "as JSON").parse().opts();
 */
export function commandOf(name: string, about: string, { more, exitCodes }: CommandHelp = {}) {
  return new Command(name.split(" ").at(-1))
    .description(about)
    .helpOption("--help", "show this text")
    .helpCommand(false)
    .addHelpText("after", more === undefined ? "" : `\n${more}`)
    .addHelpText("after", exitCodes === undefined ? "" : exitCodesText(exitCodes))
    .configureHelp({ commandUsage: (shown) => `${name} ${shown.usage()}` })
    .showHelpAfterError("(--help says what there is.)")
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : EXIT_UNUSABLE));
}

/** A command that reads the settings of the service. */
export function commandWithSettings(name: string, about: string, help?: CommandHelp) {
  return commandOf(name, about, help).option(
    "--env-file <file>",
    "also read settings from this file; variables that are already set win",
    loadSettings,
  );
}

/** Loads this file before those of the working directory, which only fill in what is missing. */
function loadSettings(file: string): string {
  try {
    loadEnvFile(file);
    return file;
  } catch (error) {
    throw new InvalidArgumentError(`It cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

function exitCodesText(exitCodes: Readonly<Record<string, string>>): string {
  const codes = Object.entries({ [EXIT_UNUSABLE]: "an option or an argument cannot be used", ...exitCodes });
  const width = Math.max(...codes.map(([code]) => code.length));
  return `\nExit codes:\n${codes.map(([code, meaning]) => `  ${code.padEnd(width)}  ${meaning}`).join("\n")}`;
}

/**
 * Writes the result of a command to standard output. Without a reader, as in `| head -1`, the exit code is still that of the result.
 * On a full disk it is always 2.
 */
export function print(text: string): void {
  if (!process.stdout.listeners("error").includes(onLostOutput)) process.stdout.on("error", onLostOutput);
  process.stdout.write(text);
}

/** Ends the process once what was printed is written or lost. Calls that are still waited for do not delay the end. */
export function exitAfterOutput(code: number): void {
  // The error of a lost output comes before the next turn.
  process.stdout.write("", () => setImmediate(() => process.exit(code)));
}

let isLost = false;

/** The command goes on: it may be in the middle of its work. */
function onLostOutput({ code, message }: NodeJS.ErrnoException): void {
  if (code === "EPIPE" || isLost) return;
  isLost = true;
  process.stderr.write(`The output cannot be written: ${message}\n`);
  process.on("exit", () => {
    process.exitCode = EXIT_UNUSABLE;
  });
}

/** Parses an option that is a whole number. */
export function wholeNumber(lowest: number, highest: number) {
  return (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= lowest && value <= highest) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${lowest} to ${highest}.`);
  };
}

/** Parses an option that is a URL, and removes slashes at its end. */
export function httpUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/+$/, "");
  throw new InvalidArgumentError("It must be an http or https URL.");
}
