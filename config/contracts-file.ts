/**
 * Reads a contracts module (`CONTRACTS`) with all that it imports as one text, which is hashed, and evaluated without waiting.
 * @module
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import type { buildSync as Build, BuildFailure } from "esbuild";

export type ContractsFile = {
  /** absolute */
  readonly path: string;
  /** as a CommonJS module */
  readonly text: string;
};

/** The module cannot be read. The message follows the variable's name in a sentence, and names every problem with its line. */
export class ContractsFileError extends Error {
  override readonly name = "ContractsFileError";
}

const read = new Map<string, ContractsFile>();

/** Once for each path: what a process follows does not change while it runs. @throws {ContractsFileError} */
export function readContractsFile(name: string): ContractsFile {
  const path = resolve(name);
  // The name is not repeated: a URL in the wrong variable may have a key.
  if (!existsSync(path)) throw new ContractsFileError("names no file");
  const known = read.get(path);
  if (known !== undefined) return known;
  const file = { path, text: bundled(path) };
  read.set(path, file);
  return file;
}

function bundled(path: string): string {
  // Loaded for those who have a module alone.
  const { buildSync }: { buildSync: typeof Build } = createRequire(import.meta.url)("esbuild");
  try {
    const { outputFiles } = buildSync({
      entryPoints: [path],
      ...{ bundle: true, write: false, format: "cjs", platform: "neutral", target: "es2023" },
      ...{ charset: "utf8", logLevel: "silent", legalComments: "none" },
      // The text names each file by its path from here: not from the folder that a process happens to run in.
      absWorkingDir: dirname(path),
      // The configuration of surrounding folders must not matter.
      tsconfigRaw: "{}",
    });
    return outputFiles[0]?.text ?? "";
  } catch (error) {
    const { errors } = error as BuildFailure;
    if (errors === undefined) throw error;
    const lines = errors.map(({ text, location }) =>
      location === null ? text : `${location.file}:${location.line}:${location.column + 1}: ${text}`,
    );
    throw new ContractsFileError(["cannot be read:", ...lines].join("\n    - "));
  }
}
