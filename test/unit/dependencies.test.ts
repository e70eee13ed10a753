/** The installed packages: allowed licences, known install scripts, checksums, and one source. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  dependencyProblems,
  type LockEntry,
  type LockPackages,
  thirdPartyText,
} from "../../operate/release/dependencies.ts";
import { temporaryFolder } from "../harness/ending.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const lock: LockPackages = JSON.parse(read("package-lock.json")).packages;
const npmrc = read(".npmrc");

/** The problems of the real lock file with one more package. */
const problemsWith = (entry: LockEntry) =>
  dependencyProblems({ ...lock, "node_modules/zz-new": { version: "1.0.0", ...entry } }, npmrc);
const good = { license: "MIT", integrity: "sha512-AAAA" };

it("has no problem, and a list that is current", () => {
  expect(dependencyProblems(lock, npmrc)).toEqual([]);
  expect(problemsWith(good)).toEqual([]);
  expect(read("THIRD-PARTY.md")).toBe(thirdPartyText(lock));
});

it.each<[string, LockEntry, string]>([
  ["a licence that is not allowed", { ...good, license: "GPL-3.0" }, "no allowed licence (GPL-3.0)"],
  ["both of two licences", { ...good, license: "MIT AND GPL-3.0" }, "no allowed licence (MIT AND GPL-3.0)"],
  ["no licence", { integrity: good.integrity }, "no allowed licence (none named)"],
  ["an install script", { ...good, hasInstallScript: true }, "runs a script"],
  ["an install script of a tool", { ...good, dev: true, hasInstallScript: true }, "runs a script"],
  ["no checksum", { license: "MIT" }, "has no checksum"],
  ["no checksum, optional", { license: "MIT", optional: true, os: ["darwin"] }, "has no checksum"],
  ["another source", { ...good, resolved: "git+ssh://git.example/a" }, "comes from elsewhere"],
])("reports a package with %s", (_, entry, problem) => {
  expect(problemsWith(entry)).toEqual([expect.stringContaining(`zz-new@1.0.0: ${problem}`)]);
});

it("takes one of two licences, and any licence of a tool", () => {
  expect(problemsWith({ ...good, license: "(GPL-3.0 OR MIT)" })).toEqual([]);
  expect(problemsWith({ ...good, license: "GPL-3.0", dev: true })).toEqual([]);
});

it("has checksums for all that is installed on the reference platform, whoever makes it", () => {
  const folder = "node_modules/@rollup/rollup-linux-x64-gnu";
  const { integrity: _, ...unverified } = lock[folder] ?? {};
  expect(dependencyProblems({ ...lock, [folder]: unverified }, npmrc)).toEqual([
    expect.stringMatching(/^@rollup\/rollup-linux-x64-gnu@.*: has no checksum$/),
  ]);
});

it("reports what is no longer needed", () => {
  const { "node_modules/@swc/core": _, ...rest } = lock;
  expect(dependencyProblems(rest, npmrc)).toEqual(["@swc/core: a reason for no install script"]);
});

it("reports a registry in npm's settings, and an address in the lock file", () => {
  expect(dependencyProblems(lock, `${npmrc}\n@zz:registry=https://npm.example`)).toEqual([
    ".npmrc: names a registry",
  ]);
  expect(dependencyProblems(lock, "")).toEqual([
    ".npmrc: the lock file must leave out the registry's address",
  ]);
});

it("npm is quiet about packages that want another Node than the one that it runs on", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "wants-another"));
  const needy = { name: "wants-another", version: "1.0.0", engines: { node: ">=99" } };
  writeFileSync(join(folder, "wants-another/package.json"), JSON.stringify(needy));
  const root = { name: "root", version: "1.0.0", dependencies: { "wants-another": "file:wants-another" } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(root));
  const warnings = (settings: string) => {
    writeFileSync(join(folder, ".npmrc"), settings);
    const command = `npm install --offline --dry-run --cache "$PWD/cache" 2>&1 >/dev/null`;
    const env = { PATH: process.env.PATH, HOME: folder };
    return execFileSync("sh", ["-c", command], { cwd: folder, env, encoding: "utf8" });
  };
  expect(warnings("")).toContain("EBADENGINE");
  expect(warnings(npmrc)).toBe("");
});
