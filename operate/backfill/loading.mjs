// How Node loads modules: loaded before any other, on each thread. Node strips types itself, but not below `node_modules`,
// where the sources are when they were installed as a package. Only a version that does not needs tsx, which slows Ponder's
// start by a second.
import { readFileSync } from "node:fs";
import * as module from "node:module";
import { fileURLToPath } from "node:url";
import "../../config/kept-shapes.mjs";

const SOURCES = new URL("../..", import.meta.url).href;

if (!process.features.typescript) (await import("tsx/esm/api")).register();
else if (SOURCES.includes("/node_modules/")) {
  module.registerHooks({
    load: (url, context, next) =>
      isSource(url) ? { format: "module", source: stripped(url), shortCircuit: true } : next(url, context),
  });
}

// For each module Node reads its package's `package.json`, which in drizzle-orm has 175 KB: a third of the time that Ponder's 3,000
// modules take. A module that another of these packages imports by its path is in the same format.
const LARGE = /\/node_modules\/(?:abitype|drizzle-orm|kysely|ox|ponder|viem)\/.*\.js$/;

module.registerHooks?.({
  resolve: (path, context, next) =>
    path.startsWith(".") && path.endsWith(".js") && isImportedIn(LARGE, context)
      ? { url: new URL(path, context.parentURL).href, format: "module", shortCircuit: true }
      : next(path, context),
});

function isImportedIn(packages, { conditions, parentURL }) {
  return conditions.includes("import") && packages.test(parentURL);
}

function isSource(url) {
  return (
    url.startsWith(SOURCES) && url.endsWith(".ts") && !url.slice(SOURCES.length).includes("node_modules/")
  );
}

function stripped(url) {
  return module.stripTypeScriptTypes(readFileSync(fileURLToPath(url), "utf8"));
}
