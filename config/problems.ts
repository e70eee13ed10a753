/** @module Problems with the settings of a service, in the operator's words. */
import { counted } from "./format/counted.ts";
import { createLogger, type Logger } from "./log.ts";
import { VARIABLES, type VariableName } from "./variables.ts";

/** A configuration error, worded for the operator. `problem` follows the variable's name in a sentence. */
export type Problem = {
  readonly variable: VariableName;
  readonly problem: string;
  readonly example: string;
  /** The remedy, as a sentence. Absent if the example says it. */
  readonly remedy?: string | undefined;
};

/** The configuration is unusable. Carries all problems, so that they can be fixed at once. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(formatProblems(problems));
    this.problems = problems;
  }
}

/** The problems as a block of text, each with an example below it. */
function formatProblems(problems: readonly Problem[]): string {
  const blocks = problems.map(
    (p) => `  ${p.variable} ${p.problem}\n    ${p.remedy ?? `for example: ${p.variable}=${p.example}`}`,
  );
  return [`The configuration has ${counted(problems.length, "problems")}:`, ...blocks].join("\n");
}

/** Tells the operator in the format of the log: as a block of text that ends with a hint, or as a line for each. */
export function reportProblems(
  problems: readonly Problem[],
  format: string | undefined,
  { log, hint }: { log?: Pick<Logger, "error">; hint?: string } = {},
): void {
  if (format !== "json") {
    process.stderr.write(`${[formatProblems(problems), hint].filter(Boolean).join("\n")}\n`);
    return;
  }
  const lines = log ?? createLogger({ format, level: "error" });
  for (const problem of problems) lines.error({ msg: "The configuration cannot be used", ...problem });
}

/** A problem with the variable's own example. */
export function problemWith(variable: VariableName, problem: string, remedy?: string): Problem {
  return { variable, problem, example: VARIABLES[variable].example, remedy };
}

/** A likely mistake that does not prevent the service from starting. */
export type Warning = {
  readonly variable: string;
  readonly warning: string;
  /** The remedy, as a sentence. */
  readonly remedy?: string | undefined;
};
