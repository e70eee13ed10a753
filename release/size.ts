/**
 * How much of the disk an installation takes, by package.
 * @module
 */
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type PackageSize = {
  /** Without the packages that are nested in it. */
  readonly name: string;
  readonly version: string;
  /** Bytes on the disk, as `du` counts: whole blocks, and a file with several names once. */
  readonly bytes: number;
};

/**
 * The largest first.
 * @param folder what has the `node_modules`
 */
export function sizesBelow(folder: string): PackageSize[] {
  const counted = new Set<number>();
  const sizes = packagesIn(join(folder, "node_modules")).map((path) => {
    const { name, version } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
    return { name, version, bytes: bytesOf(path, counted) };
  });
  return sizes.sort((one, other) => other.bytes - one.bytes);
}

/** The folders of all packages, nested ones too. Links are elsewhere. */
function packagesIn(modules: string): string[] {
  return foldersIn(modules).flatMap((name) => {
    if (name.startsWith(".")) return [];
    const path = join(modules, name);
    if (name.startsWith("@")) return packagesIn(path);
    return [path, ...packagesIn(join(path, "node_modules"))];
  });
}

function foldersIn(path: string): string[] {
  if (!existsSync(path)) return [];
  const entries = readdirSync(path, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

function bytesOf(path: string, counted: Set<number>): number {
  const { blocks, ino } = lstatSync(path);
  const own = counted.has(ino) ? 0 : blocks * 512;
  counted.add(ino);
  if (!lstatSync(path).isDirectory()) return own;
  const inside = readdirSync(path).filter((name) => name !== "node_modules");
  return inside.reduce((sum, name) => sum + bytesOf(join(path, name), counted), own);
}

const MEGABYTE = 1_000_000;

/** A line for each of the largest, one for the rest, one for all. */
export function sizesText(sizes: readonly PackageSize[], largest = 20): string {
  const line = (bytes: number, what: string) => `${(bytes / MEGABYTE).toFixed(1).padStart(7)} MB  ${what}`;
  const sum = (some: readonly PackageSize[]) => some.reduce((total, { bytes }) => total + bytes, 0);
  const rest = sizes.slice(largest);
  return [
    ...sizes.slice(0, largest).map(({ name, version, bytes }) => line(bytes, `${name} ${version}`)),
    ...(rest.length > 0 ? [line(sum(rest), `${rest.length} others`)] : []),
    line(sum(sizes), `${sizes.length} packages`),
  ].join("\n");
}
