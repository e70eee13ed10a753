/**
 * What is installed with the package, to the version: `overrides` count only where Raisebook is the project itself, so the package
 * brings a lock file of its own (`npm-shrinkwrap.json`), which npm follows. Why: docs/decisions/0035-releases.md.
 * @module
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROJECT_ROOT } from "../config/schema-name.ts";

export const SHRINKWRAP = "npm-shrinkwrap.json";

/** Fields of package.json that are about developing it. */
const OF_DEVELOPMENT = new Set(["devDependencies", "workspaces", "scripts", "files", "private"]);

/**
 * A project of nothing but what runs, in a folder that is gone afterwards, with the lock file that npm makes of ours for it.
 * Needs no network.
 */
function inProduction<Result>(use: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), "raisebook-production-"));
  try {
    const manifest: Record<string, unknown> = JSON.parse(
      readFileSync(join(PROJECT_ROOT, "package.json"), "utf8"),
    );
    const kept = Object.entries(manifest).filter(([field]) => !OF_DEVELOPMENT.has(field));
    writeFileSync(join(folder, "package.json"), JSON.stringify(Object.fromEntries(kept)));
    for (const file of ["package-lock.json", ".npmrc"])
      copyFileSync(join(PROJECT_ROOT, file), join(folder, file));
    npm(folder, "install", "--package-lock-only", "--ignore-scripts", "--offline");
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The lock file of what runs. */
export function shrinkwrapText(): string {
  return inProduction((folder) => readFileSync(join(folder, "package-lock.json"), "utf8"));
}

type Bom = {
  serialNumber?: string;
  metadata: { timestamp?: string };
  components: readonly { name: string; version: string }[];
};

/** CycloneDX of what runs: the same each time, since neither its number nor its time is in it. */
export function sbom(): Bom {
  const text = inProduction((folder) =>
    npm(folder, "sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--package-lock-only"),
  );
  const { serialNumber: _number, ...bom }: Bom = JSON.parse(text);
  const { timestamp: _time, ...metadata } = bom.metadata;
  return { ...bom, metadata };
}

/** What npm prints. Its warnings are those of the real install. @throws with what it said where it fails */
export function npm(folder: string, ...args: string[]): string {
  return execFileSync("npm", [...args, "--loglevel", "error"], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 64 * 1024 ** 2,
  });
}
