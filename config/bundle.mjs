// Loaded before the main module (`node --import ./config/bundle.mjs daemon/main.ts`), which then runs as one file with all
// that it imports, since a thousand small ones take seconds to load. The file is kept, and made again when a source has
// changed. Why it is done this way: docs/decisions/0020-one-file.md.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import * as module from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { isMainThread } from "node:worker_threads";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const CACHE = join(ROOT, "node_modules/.cache/raisebook");

/** Packages that `api/graphql/packages.ts` loads by Node: two copies would not know each other's objects. */
const LEFT_OUT = ["graphql", "zod", "@asteasolutions/zod-to-openapi"];

/** Sources of every bundle, beside its modules. */
const MADE_BY = ["config/bundle.mjs", "tsconfig.json", "node_modules/esbuild/package.json"];

// With a large market V8 may begin to keep what requests leave behind until it collects everything, and a request then costs half
// as much again. It does not where its young generation grows in larger steps from the beginning (`npm run bench -- read`).
setFlagsFromString("--semi-space-growth-factor=4");

if (module.registerHooks === undefined) {
  // Node 22 had no hooks at first. Without its path tsx would look for it in the working directory.
  process.env.TSX_TSCONFIG_PATH = join(ROOT, "tsconfig.json");
  await import("tsx");
} else if (isMainThread) await runBundled(realpathSync(process.argv[1]));

async function runBundled(main) {
  const key = createHash("sha256").update(main).digest("hex").slice(0, 10);
  const file = join(CACHE, `${relative(ROOT, main).replaceAll(/\W/g, "-")}-${key}.js`);
  const source = readCurrent(file) ?? (await make(main, file));
  const url = pathToFileURL(main).href;
  // For the processes that this one starts, too: Ponder's modules are 3,000.
  process.env.NODE_COMPILE_CACHE ??= join(CACHE, "compiled");
  module.enableCompileCache();
  module.registerHooks({
    load: (wanted, context, next) =>
      wanted === url ? { format: "module", source, shortCircuit: true } : next(wanted, context),
  });
  process.on("uncaughtExceptionMonitor", (error) => {
    if (error instanceof Error) error.stack = inSources(error.stack, url, source);
  });
}

/** Null when there is none, or a source has changed. */
function readCurrent(file) {
  try {
    const bundle = readFileSync(file, "latin1");
    const sources = JSON.parse(bundle.slice("//".length, bundle.indexOf("\n")));
    return Object.entries(sources).every(([path, state]) => stateOf(path) === state) ? bundle : null;
  } catch {
    return null;
  }
}

function stateOf(path) {
  const { mtimeMs, size } = statSync(join(ROOT, path));
  return `${mtimeMs} ${size}`;
}

/** The bundle, in ASCII: the states of its sources, the code, and the map from one to the other. */
async function make(main, file) {
  const { build, stop } = await import("esbuild");
  const startedAt = Date.now();
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [main],
    outfile: file,
    write: false,
    metafile: true,
    bundle: true,
    external: LEFT_OUT,
    platform: "node",
    format: "esm",
    target: "node22",
    sourcemap: "inline",
    sourcesContent: false,
    logLevel: "error",
    // Packages in CommonJS require Node's own modules.
    banner: {
      js: `import { createRequire as bundleRequire } from "node:module"; const require = bundleRequire(import.meta.url);`,
    },
    plugins: [{ name: "own-urls", setup: ({ onLoad }) => onLoad({ filter: /\.tsx?$/ }, withOwnUrl) }],
  });
  await stop();
  const paths = [...MADE_BY, ...Object.keys(metafile.inputs)];
  const sources = Object.fromEntries(paths.map((path) => [path, stateOf(path)]));
  const bundle = `//${JSON.stringify(sources)}\n${outputFiles[0].text}`;
  // What changed meanwhile may be in it as it was.
  if (paths.every((path) => statSync(join(ROOT, path)).mtimeMs < startedAt)) keep(file, bundle);
  return bundle;
}

/** A module of ours finds the files beside it. */
function withOwnUrl({ path }) {
  const url = JSON.stringify(pathToFileURL(path).href);
  const contents = readFileSync(path, "utf8").replaceAll("import.meta.url", url);
  return { contents, loader: path.endsWith("x") ? "tsx" : "ts" };
}

/** Other processes see all of it or nothing. Where nothing can be written, each start makes its own. */
function keep(file, bundle) {
  try {
    mkdirSync(CACHE, { recursive: true });
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, bundle);
    renameSync(unfinished, file);
  } catch {}
}

/** A stack trace with places in our files. Node's own way reads the whole map at each start, for a quarter of a second. */
function inSources(stack, url, bundle) {
  const map = Buffer.from(bundle.slice(bundle.lastIndexOf(",") + 1), "base64").toString();
  const sourceMap = new module.SourceMap(JSON.parse(map));
  const place = /(file:[^ ()]+):(\d+):(\d+)/g;
  return stack.replaceAll(place, (found, of, line, column) => {
    // The map does not know of the first line.
    const { fileName, lineNumber, columnNumber } = sourceMap.findOrigin(line - 1, Number(column));
    if (of !== url || fileName === undefined) return found;
    return `${new URL(fileName, pathToFileURL(`${CACHE}/`))}:${lineNumber}:${columnNumber}`;
  });
}
