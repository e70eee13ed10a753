/** @module The context of `docker build .` at the newest commit: its files, without those of .dockerignore. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, matchesGlob } from "node:path";

/** @param root of the repository */
export function makeContext(root: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync("git", ["archive", "HEAD"], { cwd: root, maxBuffer: 1 << 30 });
  execFileSync("tar", ["-x"], { cwd: folder, input: archive });
  const isIgnored = ignoring(readFileSync(join(folder, ".dockerignore"), "utf8"));
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    if (isIgnored(path)) rmSync(join(folder, path), { recursive: true, force: true });
}

/** By the rules of .dockerignore: of the lines that fit a path or a folder above it, the last one counts. */
function ignoring(text: string): (path: string) => boolean {
  const rules = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({ isKept: line.startsWith("!"), pattern: line.replace(/^!/, "").replace(/\/$/, "") }));
  return (path) => {
    const parts = path.split("/");
    const withParents = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
    const fitting = rules.filter(({ pattern }) => withParents.some((one) => matchesGlob(one, pattern)));
    return fitting.length > 0 && fitting.at(-1)?.isKept !== true;
  };
}
