// Loaded before the main module (`node --import ./config/bundle.mjs operate/daemon/main.ts`), which then runs as one file with all
// that it imports, since a thousand small ones take seconds to load.
import { realpathSync } from "node:fs";
import * as module from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { isMainThread } from "node:worker_threads";

// With a large market V8 may begin to keep what requests leave behind until it collects everything, and a request then costs half
// as much again. It does not where its young generation grows in larger steps from the beginning (`npm run bench -- read`).
setFlagsFromString("--semi-space-growth-factor=4");

if (module.registerHooks === undefined) {
  // Node 22 had no hooks at first. Without its path tsx would look for it in the working directory.
  process.env.TSX_TSCONFIG_PATH = fileURLToPath(new URL("../tsconfig.json", import.meta.url));
  await import("tsx");
} else if (isMainThread) await runBundled(realpathSync(process.argv[1]));

async function runBundled(main) {
  const { CACHE, inSources, loadInPlaceOf, oneFileOf } = await import("./one-file.mjs");
  const source = await oneFileOf(main);
  const url = pathToFileURL(main).href;
  // For the processes that this one starts, too: Ponder's modules are 3,000.
  process.env.NODE_COMPILE_CACHE ??= join(CACHE, "compiled");
  module.enableCompileCache();
  loadInPlaceOf(url, source);
  process.on("uncaughtExceptionMonitor", (error) => {
    if (error instanceof Error) error.stack = inSources(error.stack, url, source);
  });
}
