/** @module The package that `npm pack` makes. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "./daemon.ts";

/** The paths of its files, without the lock file that is made when it is packed. */
export function packedFiles(): string[] {
  const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  // An array, or by name: newer versions of npm print the latter.
  const [packed] = Object.values<{ files: { path: string }[] }>(JSON.parse(output));
  if (packed === undefined) throw new Error(`npm packs nothing:\n${output}`);
  return packed.files.map(({ path }) => path);
}

/** The command of the package, installed in the folder as npm would, with the packages that are installed here. */
export function installCopy(folder: string): string {
  const target = join(folder, "node_modules/raisebook");
  for (const file of packedFiles()) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    cpSync(join(ROOT, file), join(target, file));
  }
  symlinkSync(join(ROOT, "node_modules"), join(target, "node_modules"));
  return join(target, "operate/cli/raisebook.mjs");
}
