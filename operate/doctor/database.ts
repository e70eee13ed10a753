/** @module The database: what PostgreSQL allows this user and has room for, or who uses the directory of the embedded one. */
import { existsSync, mkdirSync, rmdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { nearestExisting } from "../../config/disk-space.ts";
import type { Settings } from "../../config/environment.ts";
import { checkChainIdentity } from "../daemon/chain-identity.ts";
import type { ChainEndpoint } from "../daemon/check-chain.ts";
import { checkDataDisk, checkDisk, dataDirectoryOf } from "../daemon/check-database.ts";
import { checkPostgres } from "../daemon/check-postgres.ts";
import { findHolder } from "../daemon/data-lock.ts";
import { createNotes, type Notes } from "./notes.ts";

type Parameters = {
  readonly timeout: number;
  readonly node: ChainEndpoint | null;
  /** whether the service answers on this machine */
  readonly isRunning: boolean;
};

export async function examineDatabase(
  settings: Settings,
  { timeout, node, isRunning }: Parameters,
): Promise<Notes> {
  const notes = createNotes("database");
  if (settings.database.kind === "pglite") {
    await examineDirectory(settings, { node, isRunning }, notes);
    return notes;
  }
  const { facts, ...checked } = await checkPostgres(settings, { timeout, mayBeStandby: true });
  notes.take(checked);
  for (const { about, values } of facts) notes.fact(about, values);
  return notes;
}

async function examineDirectory(
  settings: Settings,
  { node, isRunning }: Pick<Parameters, "node" | "isRunning">,
  notes: Notes,
): Promise<void> {
  const directory = dataDirectoryOf(settings);
  if (directory === null) return;
  const usedBy = findHolder(directory);
  notes.fact(directory, { exists: existsSync(directory), usedBy });
  if (usedBy !== null && !isRunning) {
    const what = `is in use by ${usedBy} (${directory}), though nothing answers on PORT`;
    notes.warn("RAISEBOOK_DATA_DIR", what, `Set PORT to that of the service, or stop that ${usedBy}.`);
  }
  const full = checkDataDisk(settings);
  notes.take({ problems: full });
  const reason = full.length > 0 ? null : whyNotWritable(directory);
  if (reason !== null) {
    const remedy = "Give this user the right to write there, or name another directory.";
    notes.problem("RAISEBOOK_DATA_DIR", `cannot be written: ${reason}`, remedy);
    return;
  }
  const { freeMb, warning } = checkDisk(directory);
  if (freeMb !== null) notes.fact(nearestExisting(directory), { freeDiskMb: freeMb });
  if (full.length === 0 && warning !== null)
    notes.warn("RAISEBOOK_DATA_DIR", warning, "Make room there, or move it to a larger disk.");
  if (node !== null) notes.take({ problems: await checkChainIdentity(settings, node) });
}

/** By making a folder in the nearest directory that is there, and removing it: rights do not tell of a read-only disk. */
function whyNotWritable(directory: string): string | null {
  const place = nearestExisting(directory);
  try {
    if (!statSync(place).isDirectory()) return `${place} is no directory`;
    const trial = `${resolve(place)}/.raisebook-doctor-${process.pid}`;
    mkdirSync(trial);
    rmdirSync(trial);
    return null;
  } catch (error) {
    return `${place} (${(error as NodeJS.ErrnoException).code})`;
  }
}
