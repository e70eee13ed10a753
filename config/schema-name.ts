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

/** The table with a backfill's checkpoint; in the schema itself, so that it is dropped with it. */
export const FAST_FORWARD_TABLE = "_fast_forward";

/** This table exists once a reorg has gone deeper than the finality depth. */
export const DEEP_REORG_TABLE = "_deep_reorg";

/** The table of final blocks of which events are missing: the tables are folded again from before the first of them. */
export const GAPS_TABLE = "_gap";

/** The table of ranges of blocks that were folded again as events of them were missing: clients that had followed up to one are told. */
export const REFOLDS_TABLE = "_refold";

/**
 * The table of ledger files that were imported and wait for a first start. It has its own schema, as the schema to be filled
 * does not exist yet.
 */
export const IMPORTS = { schema: "raisebook_import", table: "raisebook_import.ledger_file" } as const;

/** The table with the last good copy of each service's registry, in a schema that outlives those of releases. */
export const REGISTRY_COPIES = {
  schema: "raisebook_registry",
  table: "raisebook_registry.last_good",
} as const;

/** The log of each service's registry revisions, and the texts that they changed. */
export const REGISTRY_REVISIONS = {
  schema: REGISTRY_COPIES.schema,
  revisions: "raisebook_registry.revision",
  texts: "raisebook_registry.revision_text",
} as const;

/** The table of blocks whose events were reverted by reorgs, each with the number of the reorg. */
export const ORPHANS_TABLE = "_orphan";

/** The column of `_ponder_checkpoint` that is true while the rows do not match the block that it names. */
export const REVERTED_COLUMN = "reverted";

/** The column of `_ponder_checkpoint` that counts reverts. */
export const REVERTS_COLUMN = "reverts";

/**
 * More columns of `_ponder_checkpoint`: the block up to which several endpoints agree, null with a single endpoint; and the first
 * block on which they disagree, null if they agree.
 */
export const AGREED_COLUMN = "agreed_checkpoint";
export const DISPUTED_COLUMN = "disputed_block";

/**
 * Two more: the block up to which rows are served as final by their depth, null before the first; and where what is final comes
 * from (`operate/backfill/finality.ts`).
 */
export const FINAL_COLUMN = "final_checkpoint";
export const FINALITY_COLUMN = "finality";
/** The endpoints' `finalized` blocks, or a depth below the head; `stalled`: the depth, as those blocks stand still. */
export type FinalitySource = "finalized" | "depth" | "stalled";

/** Named by its usual path: the schema's name must not depend on where packages are installed. */
const PONDER = "node_modules/ponder/package.json";
const SINGLE_FILES = ["ponder.schema.ts", "ponder.config.ts", "config/sources.ts", PONDER];

/** `DATABASE_SCHEMA`, or `raisebook_` and 10 hex digits derived from the code and the contracts. */
export function schemaNameOf(settings: Settings, root = PROJECT_ROOT): string {
  return settings.databaseSchema ?? `raisebook_${contentHash(settings, root).slice(0, 10)}`;
}

/**
 * A positive 31-bit number for the service as clients know it: one chain under one `PUBLIC_URL`, whatever release answers there. It
 * separates services that share a database.
 */
export function serviceKeyOf({ chainId, publicUrl }: Pick<Settings, "chainId" | "publicUrl">): number {
  const digest = createHash("sha256").update(`raisebook ${chainId} ${publicUrl}`).digest();
  return digest.readUInt32BE() >>> 1 || 1;
}

function contentHash(
  { chainId, contracts, escrows, escrowFactory, desk, holders }: Settings,
  root: string,
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

/** The header with which the deliverer sends the key. */
export const DELIVERER_HEADER = "X-Raisebook-Deliverer";
/** The name under which the key is stored. */
export const DELIVERER_KEY = "reader-key";
/** The places where positions are stored: the schema in PostgreSQL, or the folder in the data directory. */
export const PLACES = { schema: "raisebook_webhooks", folder: "webhooks" } as const;
