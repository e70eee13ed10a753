/** @module Reads a contracts module (`CONTRACTS`) with all that it imports as one text, which is hashed, and evaluated without waiting. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { deflateRawSync, inflateRawSync } from "node:zlib";
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

/** The variables by which a child is given the text, in pieces: the last one is empty. */
const PIECE = "RAISEBOOK_CONTRACTS_";
/** Characters. Linux allows a variable 128 KiB. */
const PIECE_LENGTH = 100_000;

/**
 * The text for the environment of a child process. The schema is named by it, so a child goes on with the text of its parent, whatever
 * becomes of the file.
 */
export function contractsVariables(file: ContractsFile | null): Record<string, string> {
  const packed = file === null ? "" : deflateRawSync(file.text).toString("base64");
  const pieces = packed.match(new RegExp(`.{1,${PIECE_LENGTH}}`, "g")) ?? [];
  return Object.fromEntries([...pieces, ""].map((piece, index) => [`${PIECE}${index}`, piece]));
}

/** Null where the parent has given none. */
function givenText(env: Readonly<Record<string, string | undefined>>): string | null {
  let packed = "";
  for (let index = 0, piece = env[`${PIECE}0`]; piece; piece = env[`${PIECE}${++index}`]) packed += piece;
  return packed === "" ? null : inflateRawSync(Buffer.from(packed, "base64")).toString();
}

/**
 * Once for each path: what a process follows does not change while it runs.
 * @param env with the text if this is a child process
 * @throws {ContractsFileError}
 */
export function readContractsFile(
  name: string,
  env: Readonly<Record<string, string | undefined>> = {},
): ContractsFile {
  const path = resolve(name);
  const given = givenText(env);
  if (given !== null) return { path, text: given };
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
      // A handler has no more than a browser: packages such as viem take Node's own modules otherwise.
      ...{ bundle: true, write: false, format: "cjs", platform: "browser", target: "es2023" },
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
