// Loaded before the main module (`node --import ./config/bundle.mjs operate/daemon/main.ts`), which then runs bundled with all
// its imports in one file: loading a thousand small files takes seconds.
import { realpathSync } from "node:fs";
import * as module from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isMainThread } from "node:worker_threads";
import { growAsUsual } from "./heap-growth.mjs";
import "./kept-shapes.mjs";

growAsUsual();

if (module.registerHooks === undefined) {
  // Early releases of Node 22 have no hooks. Without this path tsx would look for the file in the working directory.
  process.env.TSX_TSCONFIG_PATH = fileURLToPath(new URL("../tsconfig.json", import.meta.url));
  await import("tsx");
} else if (isMainThread) await runBundled(realpathSync(process.argv[1]));

async function runBundled(main) {
  const { CACHE, inSources, loadInPlaceOf, oneFileOf } = await import("./one-file.mjs");
  const source = await oneFileOf(main);
  const url = pathToFileURL(main).href;
  // Also for child processes: Ponder has 3,000 modules.
  process.env.NODE_COMPILE_CACHE ??= join(CACHE, "compiled");
  module.enableCompileCache();
  loadInPlaceOf(url, source);
  process.on("uncaughtExceptionMonitor", (error) => {
    if (error instanceof Error) error.stack = inSources(error.stack, main);
  });
}
