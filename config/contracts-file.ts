/**
 * Reads a contracts module (`CONTRACTS`) with all that it imports as one text, which is hashed, and evaluated without waiting.
 * @module
 */
import { createRequire } from "node:module";
import { resolve } from "node:path";
import type { BuildFailure, buildSync as Build } from "esbuild";

export type ContractsFile = {
  /** absolute */
  readonly path: string;
  /** as a CommonJS module */
  readonly text: string;
};

const read = new Map<string, ContractsFile>();

/** Once for each path: what a process follows does not change while it runs. @throws {Error} that names every problem and its line */
export function readContractsFile(name: string): ContractsFile {
  const path = resolve(name);
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
    throw new Error(lines.join("; "));
  }
}
