// Lets Node run the sources: loaded before any of them, on each thread. Node strips types itself, but not below `node_modules`,
// where the sources are when they were installed as a package. Only a version that does not needs tsx, which slows Ponder's
// start by a second.
import { readFileSync } from "node:fs";
import * as module from "node:module";
import { fileURLToPath } from "node:url";

const SOURCES = new URL("../..", import.meta.url).href;

if (!process.features.typescript) (await import("tsx/esm/api")).register();
else if (SOURCES.includes("/node_modules/")) {
  module.registerHooks({
    load: (url, context, next) =>
      isSource(url) ? { format: "module", source: stripped(url), shortCircuit: true } : next(url, context),
  });
}

function isSource(url) {
  return (
    url.startsWith(SOURCES) && url.endsWith(".ts") && !url.slice(SOURCES.length).includes("node_modules/")
  );
}

function stripped(url) {
  return module.stripTypeScriptTypes(readFileSync(fileURLToPath(url), "utf8"));
}
