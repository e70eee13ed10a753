// Bundles one of our modules with all its imports, packages included, into one cached file that is never older than its sources.
// The reasons, and what is left out: docs/decisions/0020-one-file.md.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import * as module from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
export const CACHE = join(ROOT, "node_modules/.cache/raisebook");

/** Packages that `api/graphql/packages.ts` loads through Node: two copies would not recognise each other's objects. */
const LEFT_OUT = ["graphql", "zod", "@asteasolutions/zod-to-openapi"];

/** Sources of every bundle besides its modules. */
const ESBUILD = relative(ROOT, module.createRequire(import.meta.url).resolve("esbuild/package.json"));
const MANIFEST = "package.json";
const MADE_BY = ["config/one-file.mjs", "tsconfig.json", ESBUILD, MANIFEST];

/**
 * The bundle of the module at this path; rebuilt if it is missing or a source has changed.
 * @param options `plugins` of esbuild, and `madeBy`: the sources of these, by their paths in the project
 */
export async function oneFileOf(path, options) {
  const file = fileOf(path);
  return readCurrent(file) ?? (await make(path, file, options));
}

/** The address of the bundle's file, built if need be; null if no file can be written. */
export async function urlOfOneFile(path, options) {
  return (await bundleWithoutFile(path, options)) === null ? pathToFileURL(fileOf(path)).href : null;
}

/** Null if the bundle has a file now. It has thousands of sources, which are looked at once where nothing has changed. */
async function bundleWithoutFile(path, options) {
  if (isKept(path)) return null;
  const bundle = await make(path, fileOf(path), options);
  return isKept(path) ? null : bundle;
}

/**
 * Loads a module as one file and returns its exports. If no file can be written, the bundle is loaded in place of the module;
 * null if Node has no hooks for that.
 */
export async function importAsOneFile(path) {
  const bundle = await bundleWithoutFile(path);
  if (bundle === null) return import(pathToFileURL(fileOf(path)).href);
  if (module.registerHooks === undefined) return null;
  const url = pathToFileURL(path).href;
  loadInPlaceOf(url, bundle);
  return import(url);
}

/** Makes Node load the bundle for the address of the module. */
export function loadInPlaceOf(url, source) {
  module.registerHooks({
    load: (wanted, context, next) =>
      wanted === url ? { format: "module", source, shortCircuit: true } : next(wanted, context),
  });
}

/** Whether the next start will find a current bundle of the module. */
export function isKept(path) {
  return readCurrent(fileOf(path)) !== null;
}

function fileOf(path) {
  const key = createHash("sha256").update(path).digest("hex").slice(0, 10);
  return join(CACHE, `${relative(ROOT, path).replaceAll(/\W/g, "-")}-${key}.mjs`);
}

/** Null if it is missing or damaged, or a source has changed. */
function readCurrent(file) {
  try {
    const bundle = readFileSync(file);
    const end = bundle.indexOf("\n");
    const { digest, sources } = JSON.parse(bundle.toString("utf8", "//".length, end));
    if (digestOf(bundle.subarray(end + 1)) !== digest) return null;
    return Object.entries(sources).every(([path, state]) => stateOf(path) === state) ? bundle : null;
  } catch {
    return null;
  }
}

function digestOf(code) {
  return createHash("sha256").update(code).digest("hex");
}

function stateOf(path) {
  // `npm pack` gives all files the same time, so that those of two releases may differ in nothing but their content.
  if (path === MANIFEST) return digestOf(readFileSync(join(ROOT, path)));
  const { mtimeMs, size } = statSync(join(ROOT, path));
  return `${mtimeMs} ${size}`;
}

/** The bundle's bytes: a digest of the code and the states of its sources, and the code. Its map to them is kept next to it. */
async function make(path, file, { plugins = [], madeBy = [] } = {}) {
  const { build, stop } = await import("esbuild");
  const startedAt = Date.now();
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [path],
    outfile: file,
    write: false,
    metafile: true,
    bundle: true,
    external: LEFT_OUT,
    platform: "node",
    format: "esm",
    target: "node22",
    sourcemap: "external",
    sourcesContent: false,
    // As in tsconfig.json, which esbuild does not read below `node_modules`.
    jsx: "automatic",
    jsxImportSource: "hono/jsx",
    logLevel: "error",
    // Packages in CommonJS require Node's own modules.
    banner: {
      js: `import { createRequire as bundleRequire } from "node:module"; const require = bundleRequire(import.meta.url);`,
    },
    plugins: [
      ...plugins,
      { name: "own-urls", setup: ({ onLoad }) => onLoad({ filter: /\.tsx?$/ }, withOwnUrl) },
    ],
  });
  await stop();
  const paths = [...MADE_BY, ...madeBy, ...Object.keys(metafile.inputs)];
  const sources = Object.fromEntries(paths.map((path) => [path, stateOf(path)]));
  const [map, code] = [".map", ".mjs"].map(
    (end) => outputFiles.find((made) => made.path.endsWith(end))?.contents,
  );
  const bundle = Buffer.concat([
    Buffer.from(`//${JSON.stringify({ digest: digestOf(code), sources })}\n`),
    code,
  ]);
  // A source changed meanwhile may be in it in its earlier version.
  if (paths.every((path) => statSync(join(ROOT, path)).mtimeMs < startedAt)) {
    if (map !== undefined) keep(`${file}.map`, map);
    keep(file, bundle);
  }
  return bundle;
}

/** A bundled module still finds the files next to it. */
function withOwnUrl({ path }) {
  const url = JSON.stringify(pathToFileURL(path).href);
  const contents = readFileSync(path, "utf8").replaceAll("import.meta.url", url);
  return { contents, loader: path.endsWith("x") ? "tsx" : "ts" };
}

/** Atomic: other processes never see half a file, even after a power failure. Without a writable folder, each start rebuilds it. */
function keep(file, bundle) {
  try {
    mkdirSync(CACHE, { recursive: true });
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, bundle, { flush: true });
    renameSync(unfinished, file);
  } catch {}
}

/** A stack trace with places in our files, as far as the bundle's map is kept. */
export function inSources(stack, path) {
  let sourceMap;
  try {
    sourceMap = new module.SourceMap(JSON.parse(readFileSync(`${fileOf(path)}.map`, "utf8")));
  } catch {
    return stack;
  }
  const place = /(file:[^ ()]+):(\d+):(\d+)/g;
  return stack.replaceAll(place, (found, of, line, column) => {
    // The map does not count the first line.
    const { fileName, lineNumber, columnNumber } = sourceMap.findOrigin(line - 1, Number(column));
    if (of !== pathToFileURL(path).href || fileName === undefined) return found;
    return `${new URL(fileName, pathToFileURL(`${CACHE}/`))}:${lineNumber}:${columnNumber}`;
  });
}
