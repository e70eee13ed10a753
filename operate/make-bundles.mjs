// Builds the bundles of all commands ahead of time (`npm run bundle`), for folders that are read-only at run time: in an image, or
// owned by root.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isKept, oneFileOf } from "../config/one-file.mjs";
import { AS_ONE_FILE, PROGRAM, READER } from "./backfill/bundle.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const modules = JSON.parse(readFileSync(join(ROOT, "operate/cli/modules.json"), "utf8"));
// `operate/cli/main.ts` runs for anything that is not a command, `operate/daemon/ponder.ts` is loaded inside Ponder.
const commands = Object.values(modules).filter((module) => !/^(bench|demo|test)\//.test(module));
const mains = [...commands, "operate/cli/main.ts", "operate/daemon/ponder.ts"].map((main) =>
  join(ROOT, main),
);

for (const main of mains) await oneFileOf(main);
for (const main of [PROGRAM, READER]) await oneFileOf(main, AS_ONE_FILE);
const missing = [...mains, PROGRAM, READER].filter((main) => !isKept(main));
if (missing.length > 0) {
  process.stderr.write(`These could not be kept in ${join(ROOT, "node_modules")}: ${missing.join(", ")}\n`);
  process.exit(1);
}
process.stdout.write(`Made the bundles of ${mains.length + 2} modules.\n`);
