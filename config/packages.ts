/**
 * Where packages are. They are not always below the project: installed as a package itself, it may have them beside it.
 * @module
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * The folder of a package, also of one whose exports leave out its package.json.
 * @param from a file whose imports would find the package: one of the project's
 * @throws where it is not installed
 */
export function packageFolder(name: string, from = import.meta.url): string {
  const places = createRequire(from).resolve.paths(name) ?? [];
  const folder = places.map((place) => join(place, name)).find((at) => existsSync(join(at, "package.json")));
  if (folder === undefined) throw new Error(`the package ${name} is not installed`);
  return folder;
}
