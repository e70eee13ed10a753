/** @module A program as an operator runs it, to its end. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The file that runs all commands. */
export const RAISEBOOK = fileURLToPath(new URL("../../operate/cli/raisebook.mjs", import.meta.url));

export type Outcome = { code: number; output: string; errors: string };

/** Inherits only the path from this process's environment. */
export function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string | undefined>> },
): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env: { PATH: process.env.PATH, ...env } }, (error, output, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code), output, errors }),
    );
  });
}
