/**
 * What the API reference is made of: Swagger UI from its package, and a script and a style sheet of ours. Each file has
 * an address that names its content, so that a browser never asks for it twice.
 * @module
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { type Body, createBody } from "../../feed/body.ts";

/** Resolved as Node does: the loader that Ponder runs this in would look for modules, and these are files. */
const { resolve } = createRequire(import.meta.url);

const SCRIPT = "text/javascript; charset=utf-8";
const STYLES = "text/css; charset=utf-8";

const FILES = {
  "swagger-ui.css": { type: STYLES, path: () => resolve("swagger-ui-dist/swagger-ui.css") },
  "swagger-ui-bundle.js": { type: SCRIPT, path: () => resolve("swagger-ui-dist/swagger-ui-bundle.js") },
  "reference.css": { type: STYLES, path: () => ours("reference.css") },
  "reference.js": { type: SCRIPT, path: () => ours("reference.js") },
};

type AssetName = keyof typeof FILES;

export type Assets = {
  /** of all files together: the folder that they are served from */
  hash: string;
  bodies: ReadonlyMap<string, Body>;
};

/** Reads all files, 1.7 MB. */
export async function readAssets(): Promise<Assets> {
  const bodies = new Map<string, Body>();
  for (const [name, { type, path }] of Object.entries(FILES)) {
    bodies.set(name, createBody(type, await readFile(path())));
  }
  const hash = createHash("sha256");
  for (const { bytes } of bodies.values()) hash.update(bytes);
  return { hash: hash.digest("hex").slice(0, 16), bodies };
}

/** The path of a file, from the root. */
export function assetPath(hash: string, name: AssetName): string {
  return `/developers/reference/assets/${hash}/${name}`;
}

function ours(name: string): string {
  return fileURLToPath(new URL(`./browser/${name}`, import.meta.url));
}
