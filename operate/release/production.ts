/**
 * Pins what is installed with the package to exact versions. `overrides` and lock files count only in the installed project, so the
 * package contains a project for its installation, the two files of `install/`. Why: docs/decisions/0035-releases.md.
 * @module
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROJECT_ROOT } from "../../config/schema-name.ts";
import manifest from "../../package.json" with { type: "json" };

export const INSTALL_FOLDER = "install";

/** Fields of package.json that only concern development. */
const OF_DEVELOPMENT = new Set(["devDependencies", "workspaces", "scripts", "files", "private"]);

/** Removes the options of the npm that started this process, such as `--dry-run`. */
const OWN_OPTIONS = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")),
);

/**
 * A temporary project with only run-time dependencies, and the lock file that npm derives from ours for it.
 * Needs no network.
 */
function inProduction<Result>(use: (folder: string) => Result): Result {
  const parent = mkdtempSync(join(tmpdir(), "raisebook-production-"));
  try {
    // npm derives the name of the project from the folder.
    const folder = join(parent, "raisebook");
    mkdirSync(folder);
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

type Lock = { packages: Record<string, Record<string, unknown>> } & Record<string, unknown>;

/** The files of a project that installs the package from the folder next to it, and its dependencies in the tested versions. */
export function installFiles(): Map<string, string> {
  const { packages, ...lock }: Lock = JSON.parse(
    inProduction((folder) => readFileSync(join(folder, "package-lock.json"), "utf8")),
  );
  const { "": { name: _name, ...raisebook } = {}, ...others } = packages;
  const archive = `file:raisebook-${manifest.version}.tgz`;
  const { zod } = manifest.dependencies;
  const name = "raisebook-service";
  const project = { name, private: true, dependencies: { raisebook: archive } };
  // Under `abitype`, the name of a direct dependency stands for its version.
  const overrides = { ...manifest.overrides, abitype: { zod } };
  const own = { name, dependencies: project.dependencies };
  const installed = { "node_modules/raisebook": { ...raisebook, resolved: archive } };
  const locked = { ...lock, name, version: undefined, packages: { "": own, ...installed, ...others } };
  return new Map([
    [`${INSTALL_FOLDER}/package.json`, json({ ...project, overrides })],
    [`${INSTALL_FOLDER}/package-lock.json`, json(locked)],
  ]);
}

export const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

type Bom = {
  serialNumber?: string;
  metadata: { timestamp?: string };
  /** npm before version 12 names an alias by its folder; here all have the name of their package. */
  components: readonly { purl: string }[];
};

/** CycloneDX of the run-time packages; reproducible, since its serial number and time are removed. */
export function sbom(): Bom {
  const args = ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--package-lock-only"];
  const text = inProduction((folder) => npm(folder, args, OWN_OPTIONS));
  const { serialNumber: _number, ...bom }: Bom = JSON.parse(text);
  const { timestamp: _time, ...metadata } = bom.metadata;
  return { ...bom, metadata };
}

/** The output of npm. Its warnings are those of the real install. @throws with its output if it fails */
export function npm(folder: string, args: string[], env = process.env): string {
  const options = { cwd: folder, env, encoding: "utf8", maxBuffer: 64 * 1024 ** 2 } as const;
  return execFileSync("npm", [...args, "--loglevel", "error"], options);
}
