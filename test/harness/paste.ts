/** @module Runs what a reader pastes from a page or a document: in a shell, or in a TypeScript file next to an installed client. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { runNode } from "../conformance/run-node.ts";

/** Milliseconds after which a pasted line counts as one that never ends. */
export const PATIENCE = 240_000;

/** An address on which nothing listens: requests to it fail. */
const NO_REGISTRY = "http://127.0.0.1:9/";

export type PasteOptions = {
  readonly cwd: string;
  /** The user's folder, which has nothing else in it. */
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Added to every `curl`. */
  readonly curlOptions?: string;
};

/** The environment of a shell whose `node` is the one of this process. */
export function shellEnvironment({
  home,
  env = {},
}: Pick<PasteOptions, "home" | "env">): Record<string, string> {
  const { PATH = process.env.PATH, ...others } = env;
  return {
    PATH: [dirname(process.execPath), PATH].join(delimiter),
    HOME: home,
    NO_COLOR: "1",
    // Nothing is downloaded: what is not installed is not there.
    npm_config_registry: NO_REGISTRY,
    npm_config_fetch_retries: "0",
    ...others,
  };
}

/** Pastes into a shell, which ends when a line fails. Resolves to what is printed. */
export function paste(text: string, { cwd, curlOptions = "", ...user }: PasteOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const script = `set -euo pipefail\ncurl() { command curl ${curlOptions} "$@"; }\n${text}`;
    const options = { cwd, env: shellEnvironment(user), timeout: PATIENCE, maxBuffer: 64 * 1024 * 1024 };
    execFile("bash", ["-c", script], options, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(`${text}\n${stdout}${stderr}`, { cause: error })),
    );
  });
}

/** The compiler's messages about TypeScript files in a folder with the packages that they import. */
export async function typeProblems(files: readonly string[], home: string): Promise<string> {
  const tsc = new URL("../../node_modules/typescript7/bin/tsc", import.meta.url).href;
  const options = ["--noEmit", "--strict", "--target", "es2024", "--lib", "es2024,dom", "--types", ""];
  const { code, stdout, stderr } = await runNode(tsc, [...options, "--module", "nodenext", ...files], home);
  return code === 0 ? "" : `${stdout}${stderr}`;
}

/** Writes a snippet to a separate file, as a module whatever its content. Returns its path. */
export async function writeSnippet(home: string, name: string, text: string): Promise<string> {
  const file = join(home, `${name}.mts`);
  // Without `import` TypeScript would take it for no module.
  await writeFile(file, `${text}\nexport {};\n`);
  return file;
}
