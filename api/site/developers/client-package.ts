/**
 * The typed client as an npm package, with its dependencies: `npm install {publicUrl}{CLIENT_PATH}`. The same version
 * has the same bytes on every machine, since lockfiles have their digest: the order and the times of the entries are
 * fixed, and a library in JavaScript compresses them.
 * @module
 */
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "fflate";
import type { Hono } from "hono";
import { packTar } from "modern-tar";
import manifest from "../../../client/package.json" with { type: "json" };
import { type Body, createBody } from "../../http/etagged-body.ts";
import { methodNotAllowed } from "../../http/problem.ts";
import { FOR_EVER, FOR_GOOD, send } from "../../http/respond.ts";
import { SITE_PATHS } from "../paths.ts";

/** Path from the root, with the name that npm gives such a file. */
export const CLIENT_PATH = `${SITE_PATHS.developers}/raisebook-client-${manifest.version}.tgz`;
export const CLIENT_NAME = manifest.name;
export const CLIENT_TYPE = "application/gzip";

const FOLDER = fileURLToPath(new URL("../../../client", import.meta.url));
const { resolve } = createRequire(join(FOLDER, "package.json"));
/** The client's imports, and theirs. */
const BUNDLED = ["eventsource-parser", "openapi-fetch", "openapi-typescript-helpers"];
/** The time that npm gives every file of a package. */
const MTIME = new Date("1985-10-26T08:15:00Z");

/** The README's text on the demo, and its replacement, which names no service: the bytes are the same everywhere. */
const README_WORDS = [
  [
    "The addresses below are those of the demo.",
    "Below, `https://raises.example` stands for the\nservice that this package came from, and `https://node.example` for your own node.",
  ],
  ["http://127.0.0.1:42069", "https://raises.example"],
  ["http://127.0.0.1:8545", "https://node.example"],
] as const;

export function addClientPackage(app: Hono): void {
  let packing: Promise<Body> | null = null;
  app.get(CLIENT_PATH, async (c) => {
    packing ??= packClient().then((bytes) => createBody(CLIENT_TYPE, bytes));
    packing.catch(() => {
      packing = null;
    });
    return send(c, await packing, FOR_EVER, { lasting: FOR_GOOD });
  });
  app.all(CLIENT_PATH, methodNotAllowed);
}

/** The package as npm packs it: gzip over tar, everything in the folder `package`. */
async function packClient(): Promise<Buffer<ArrayBuffer>> {
  const files = [...(await ownFiles()), ...(await Promise.all(BUNDLED.map(bundledFiles))).flat()];
  const entries = files
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, body]) => ({
      header: { name: `package/${name}`, size: body.length, mode: 0o644, mtime: MTIME },
      body,
    }));
  return Buffer.from(gzipSync(await packTar(entries), { level: 9, mtime: 0 }));
}

type File = [name: string, bytes: Buffer];

async function ownFiles(): Promise<File[]> {
  const read = async (name: string, from = name): Promise<File> => [name, await readFile(join(FOLDER, from))];
  const built = await readdir(join(FOLDER, "dist"));
  return Promise.all([
    ["package.json", Buffer.from(`${JSON.stringify(published(), null, 2)}\n`)] satisfies File,
    read("README.md").then(([name, bytes]): File => [name, Buffer.from(readmeOf(`${bytes}`))]),
    read("LICENSE", "../LICENSE"),
    // Types only, so it is its own declaration.
    read("dist/schema.d.ts", "schema.ts"),
    ...built.map((name) => read(`dist/${name}`)),
  ]);
}

function readmeOf(text: string): string {
  return README_WORDS.reduce((made, [inDemo, installed]) => made.replaceAll(inDemo, installed), text);
}

/** The manifest of the installed package: JavaScript in place of the workspace's sources. */
function published() {
  const { name, version, description, license, type, dependencies } = manifest;
  return {
    ...{ name, version, description, license, type },
    engines: { node: ">=20" },
    exports: {
      ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
      "./verify": { types: "./dist/verify.d.ts", default: "./dist/verify.js" },
    },
    types: "./dist/index.d.ts",
    dependencies,
    bundleDependencies: BUNDLED,
  };
}

/** The files of a package that are run or read, without sources and source maps. */
async function bundledFiles(name: string): Promise<File[]> {
  const folder = dirname(resolve(`${name}/package.json`));
  const built = (await readdir(join(folder, "dist"))).filter((file) => !file.endsWith(".map"));
  const wanted = ["package.json", "LICENSE", ...built.map((file) => `dist/${file}`)];
  return Promise.all(
    wanted.map(
      async (file): Promise<File> => [`node_modules/${name}/${file}`, await readFile(join(folder, file))],
    ),
  );
}
