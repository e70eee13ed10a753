/** @module Finds installed packages: not always below the project, since as a dependency it may have them next to it. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * The folder of a package, even if its exports omit its package.json.
 * @param from a file that can import the package: one of the project's
 * @throws if the package is not installed
 */
export function packageFolder(name: string, from = import.meta.url): string {
  const places = createRequire(from).resolve.paths(name) ?? [];
  const folder = places.map((place) => join(place, name)).find((at) => existsSync(join(at, "package.json")));
  if (folder === undefined) throw new Error(`the package ${name} is not installed`);
  return folder;
}
