/**
 * What is installed with the package, to the version: `overrides` count only where Raisebook is the project itself, so the package
 * brings a lock file of its own (`npm-shrinkwrap.json`), which npm follows. Why: docs/decisions/0035-releases.md.
 * @module
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROJECT_ROOT } from "../config/schema-name.ts";

export const SHRINKWRAP = "npm-shrinkwrap.json";

/** Fields of package.json that are about developing it. */
const OF_DEVELOPMENT = new Set(["devDependencies", "workspaces", "scripts", "files", "private"]);

/** Without the options of the npm that has started this one, such as `--dry-run`. */
const OWN_OPTIONS = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")),
);

/**
 * A project of nothing but what runs, in a folder that is gone afterwards, with the lock file that npm makes of ours for it.
 * Needs no network.
 */
function inProduction<Result>(use: (folder: string) => Result): Result {
  const parent = mkdtempSync(join(tmpdir(), "raisebook-production-"));
  try {
    // npm takes the name of the project from it.
    const folder = join(parent, "raisebook");
    mkdirSync(folder);
    const manifest: Record<string, unknown> = JSON.parse(
      readFileSync(join(PROJECT_ROOT, "package.json"), "utf8"),
    );
    const kept = Object.entries(manifest).filter(([field]) => !OF_DEVELOPMENT.has(field));
    writeFileSync(join(folder, "package.json"), JSON.stringify(Object.fromEntries(kept)));
    for (const file of ["package-lock.json", ".npmrc"])
      copyFileSync(join(PROJECT_ROOT, file), join(folder, file));
    npm(folder, ["install", "--package-lock-only", "--ignore-scripts", "--offline"], OWN_OPTIONS);
    return use(folder);
  } finally {
    rmSync(parent, { recursive: true, force: true });
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
    npm(
      folder,
      ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--package-lock-only"],
      OWN_OPTIONS,
    ),
  );
  const { serialNumber: _number, ...bom }: Bom = JSON.parse(text);
  const { timestamp: _time, ...metadata } = bom.metadata;
  return { ...bom, metadata };
}

/** What npm prints. Its warnings are those of the real install. @throws with what it said where it fails */
export function npm(folder: string, args: string[], env = process.env): string {
  return execFileSync("npm", [...args, "--loglevel", "error"], {
    cwd: folder,
    env,
    encoding: "utf8",
    maxBuffer: 64 * 1024 ** 2,
  });
}
