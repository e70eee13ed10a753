/** @module Disk usage of an installation, by package. */
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type PackageSize = {
  /** Without its nested packages. */
  readonly name: string;
  readonly version: string;
  /** Bytes of its files. A file with several names counts once, for the first package that has it. */
  readonly bytes: number;
  /** Disk usage of its files and folders in bytes, in whole blocks as in `du`. */
  readonly disk: number;
};

type Size = Pick<PackageSize, "bytes" | "disk">;

/**
 * Largest first.
 * @param folder the parent of `node_modules`
 */
export function sizesBelow(folder: string): PackageSize[] {
  const counted = new Set<number>();
  const sizes = packagesIn(join(folder, "node_modules")).map((path) => {
    const { name, version } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
    return { name, version, ...sizeOf(path, counted) };
  });
  return sizes.sort((one, other) => other.bytes - one.bytes);
}

/** The folders of all packages, including nested ones. Links point elsewhere. */
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
  const entries = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return entries.map(({ name }) => name).sort();
}

function sizeOf(path: string, counted: Set<number>): Size {
  const found = lstatSync(path);
  if (counted.has(found.ino)) return { bytes: 0, disk: 0 };
  counted.add(found.ino);
  const disk = found.blocks * 512;
  if (!found.isDirectory()) return { bytes: found.size, disk };
  const inside = readdirSync(path).filter((name) => name !== "node_modules");
  const below = sumOf(inside.map((name) => sizeOf(join(path, name), counted)));
  return { bytes: below.bytes, disk: below.disk + disk };
}

function sumOf(sizes: readonly Size[]): Size {
  const none = { bytes: 0, disk: 0 };
  return sizes.reduce((sum, { bytes, disk }) => ({ bytes: sum.bytes + bytes, disk: sum.disk + disk }), none);
}

/** Megabytes of files and on disk: a line for each of the largest, one for the rest, one for the total. */
export function sizesText(sizes: readonly PackageSize[], largest = 20): string {
  const column = (text: string) => text.padStart(8);
  const megabytes = (bytes: number) => column((bytes / 1_000_000).toFixed(1));
  const line = ({ bytes, disk }: Size, what: string) => `${megabytes(bytes)}${megabytes(disk)}  ${what}`;
  const rest = sizes.slice(largest);
  return [
    `${column("files")}${column("disk")}  in MB`,
    ...sizes.slice(0, largest).map((one) => line(one, `${one.name} ${one.version}`)),
    ...(rest.length > 0 ? [line(sumOf(rest), `${rest.length} others`)] : []),
    line(sumOf(sizes), `${sizes.length} packages`),
  ].join("\n");
}
