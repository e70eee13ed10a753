/**
 * A file of the repository that is generated from code: written by a command, and checked to be current.
 * @module
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

export type GeneratedFile = {
  /** `import.meta.url` of the module that generates it; nothing happens unless that module is the one that was run */
  module: string;
  file: string;
  text: () => string;
};

/** Writes the file; with `--check` on the command line only says whether it is current, by the exit code. */
export function keepCurrent({ module, file, text }: GeneratedFile): void {
  if (process.argv[1] !== fileURLToPath(module)) return;
  if (!process.argv.includes("--check")) {
    writeFileSync(file, text());
    return;
  }
  if (existsSync(file) && readFileSync(file, "utf8") === text()) return;
  process.stderr.write(`${basename(file)} is not current: run \`npm run generate\`\n`);
  process.exitCode = 1;
}
