import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { sizesBelow, sizesText } from "./size.ts";

const folder = temporaryFolder();

function write(path: string, bytes: number): void {
  const file = join(folder, "node_modules", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "a".repeat(bytes));
}

function addPackage(path: string, name: string, bytes: number): void {
  write(`${path}/data`, bytes);
  writeFileSync(
    join(folder, "node_modules", path, "package.json"),
    JSON.stringify({ name, version: "1.0.0" }),
  );
}

it("counts each package without those nested in it, and a file of several names once", () => {
  addPackage("one", "one", 100_000);
  addPackage("one/node_modules/@a/two", "@a/two", 300_000);
  addPackage("three", "three", 1);
  linkSync(join(folder, "node_modules/one/data"), join(folder, "node_modules/three/again"));
  symlinkSync(join(folder, "node_modules/one"), join(folder, "node_modules/linked"));
  write(".cache/large", 900_000);
  const sizes = sizesBelow(folder);
  const tenths = (bytes: number) => Math.round(bytes / 100_000);
  expect(sizes.map(({ name, bytes, disk }) => [name, tenths(bytes), tenths(disk)])).toEqual([
    ["@a/two", 3, 3],
    ["one", 1, 1],
    ["three", 0, 0],
  ]);
  expect(sizes.every(({ bytes, disk }) => disk > bytes)).toBe(true);
  expect(sizesText(sizes, 1).split("\n")).toEqual([
    "   files    disk  in MB",
    "     0.3     0.3  @a/two 1.0.0",
    "     0.1     0.1  2 others",
    "     0.4     0.4  3 packages",
  ]);
});
