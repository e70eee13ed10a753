// Ponder and what starts it as one file, its bugs corrected: its 3,000 modules take longer to load than anything else of a start.
import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { correctedSource } from "./corrections.mjs";

/** The file that `import "ponder"` loads. */
export const PONDER = import.meta.resolve("ponder");

/** They find files next to themselves or are huge; `hono` is also loaded by Vite, and an app must be of Ponder's own copy. */
const LEFT_OUT = /^(?:@electric-sql\/pglite|hono|pg-query-emscripten|pino|vite|vite-node)(?:\/|$)/;
/** Loaded by packages that do without. */
const OPTIONAL = ["pg-native", "typescript"];

/** @type {import("esbuild").Plugin} */
const ponder = {
  name: "ponder",
  setup(build) {
    // vite-node would read a map at the first error, for half a second.
    build.initialOptions.sourcemap = false;
    build.initialOptions.external?.push(...OPTIONAL);
    build.onResolve({ filter: LEFT_OUT }, async ({ path, pluginData, ...from }) => {
      if (pluginData === ponder) return;
      const { path: file, errors } = await build.resolve(path, { ...from, pluginData: ponder });
      return { errors, path: pathToFileURL(file).href, external: true };
    });
    build.onLoad({ filter: /\/ponder\/dist\/esm\/.*\.js$/ }, ({ path }) => {
      const contents = correctedSource(path, () => readFileSync(path, "utf8"));
      return contents === null ? undefined : { contents, loader: "js" };
    });
    // A path that is computed stays outside of a bundle.
    build.onLoad({ filter: /\/operate\/backfill\/ponder\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll(
        /\bload\("([^"]+)"\)/g,
        (_, file) => `import(${JSON.stringify(fileURLToPath(new URL(file, PONDER)))})`,
      ),
      loader: "ts",
    }));
  },
};

export const PROGRAM = fileURLToPath(new URL("program.ts", import.meta.url));
export const READER = fileURLToPath(new URL("reader.ts", import.meta.url));

/** How each of the two becomes one file. */
export const AS_ONE_FILE = {
  plugins: [ponder],
  madeBy: ["operate/backfill/bundle.mjs", "operate/backfill/corrections.mjs"],
};
