/**
 * The name of the database schema. Ponder refuses tables filled by other code or for other contracts, so the name is
 * derived from everything that determines their content: any change indexes into a fresh schema.
 * @module
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Settings } from "./environment.ts";
import { packageFolder } from "./packages.ts";

/** The folder of `ponder.config.ts`. */
export const PROJECT_ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Named by its usual path: the schema's name must not depend on where packages are installed. */
const PONDER = "node_modules/ponder/package.json";
const SINGLE_FILES = ["ponder.schema.ts", "ponder.config.ts", "config/sources.ts", PONDER];

/** `DATABASE_SCHEMA`, or `raisebook_` and 10 hex digits derived from the code and the contracts. */
export function schemaNameOf(settings: Settings, root = PROJECT_ROOT): string {
  return settings.databaseSchema ?? `raisebook_${contentHash(settings, root).slice(0, 10)}`;
}

/** Whether the files of the release still have this content: not if some are missing, as they may be replaced at this moment. */
export function isStillOf(content: string, settings: Settings, root = PROJECT_ROOT): boolean {
  try {
    return contentHash(settings, root) === content;
  } catch (error) {
    // Another fault of the disk, or too many open files, says nothing of them.
    const { code = "ENOENT" } = error as NodeJS.ErrnoException;
    return code !== "ENOENT";
  }
}

/**
 * A positive 31-bit number for the service as clients know it: one chain under one `PUBLIC_URL`, whatever release answers there. It
 * separates services that share a database.
 */
export function serviceKeyOf({ chainId, publicUrl }: Pick<Settings, "chainId" | "publicUrl">): number {
  const digest = createHash("sha256").update(`raisebook ${chainId} ${publicUrl}`).digest();
  return digest.readUInt32BE() >>> 1 || 1;
}

/** The hash of everything that determines the content of the tables. The name of their schema is not in it. */
export function contentHash(
  { chainId, contracts, escrows, escrowFactory, desk, holders }: Settings,
  root = PROJECT_ROOT,
): string {
  const hash = createHash("sha256");
  if (contracts !== null) hash.update(contracts.text);
  // In the given order: Ponder's own hash depends on it too.
  hash.update(JSON.stringify({ chainId, escrows, escrowFactory, desk, holders }));
  for (const file of contentFiles(root)) {
    const bytes = readFileSync(pathOf(root, file));
    hash.update(`\n${file} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex");
}

function pathOf(root: string, file: string): string {
  if (file !== PONDER) return join(root, file);
  return join(packageFolder("ponder", join(root, "ponder.config.ts")), "package.json");
}

/** Relative to the root, with slashes, in the same order on every machine. */
function contentFiles(root: string): string[] {
  const src = filesBelow(root, "src").filter(
    (file) => !file.startsWith("src/api/") && !file.endsWith(".test.ts"),
  );
  const abis = filesBelow(root, "abis").filter((file) => file.endsWith(".ts"));
  return [...SINGLE_FILES, ...src, ...abis].sort();
}

function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"));
}
