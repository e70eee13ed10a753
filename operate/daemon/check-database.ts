/**
 * Checks that the database is usable: PostgreSQL accepts the connection, or the embedded one is free and opens. Ponder would
 * retry for a minute or more, with a stack trace each time, without explaining the problem.
 * @module
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, existsSync, lstatSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { freeDiskAt, fullDisk } from "../../config/disk-space.ts";
import { MEMORY, type Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import { packageFolder } from "../../config/packages.ts";
import { postgresClientOf, withClient } from "../../config/postgres-client.ts";
import { type Problem, problemWith } from "../../config/problems.ts";
import { schemaNameOf } from "../../config/schema-name.ts";
import { DataDirectoryError, findHolder, inUse } from "./data-lock.ts";

/** The version with which Ponder opens the database. */
export const PGLITE = createRequire(join(packageFolder("ponder"), "package.json")).resolve(
  "@electric-sql/pglite",
);
/** In a separate process: its memory is freed at the end, and an abort does not affect this one. */
const OPEN = `
  const { PGlite } = require(${JSON.stringify(PGLITE)});
  const [directory, schema] = process.argv.slice(1);
  PGlite.create(directory).then(async (database) => {
    const { rows } = await database.query("SELECT to_regclass($1) IS NOT NULL AS exists", [schema + "._ponder_meta"]);
    if (rows[0].exists) {
      await database.query(\`UPDATE \${schema}._ponder_meta SET value = jsonb_set(value, '{is_locked}', '0')\`);
      const { rows } = await database.query(\`SELECT finalized_checkpoint FROM \${schema}._ponder_checkpoint\`);
      console.log(rows[0]?.finalized_checkpoint ?? "");
    }
    await database.close();
  }).catch(({ message }) => {
    console.log(message);
    process.exitCode = 1;
  });`;

type DatabaseSettings = Pick<Settings, "database">;

/** Connects to PostgreSQL and disconnects. */
export async function checkDatabase(
  { database }: DatabaseSettings,
  timeout: number,
): Promise<readonly Problem[]> {
  if (database.kind !== "postgres") return [];
  const { connectionString } = database;
  const client = postgresClientOf(connectionString, timeout);
  try {
    await withClient(client, () => client.query("SELECT 1"));
    return [];
  } catch (error) {
    const { host, port } = new URL(connectionString).searchParams.has("host")
      ? { host: "its socket", port: "" }
      : { host: client.host, port: `:${client.port}` };
    const problem = `at ${host}${port} cannot be used (${reasonOf(error)})`;
    return [problemWith("DATABASE_URL", problem, remedyOf(error))];
  }
}

/** Our data directory; null if the database is not embedded or persists nothing. */
export function dataDirectoryOf({ database }: DatabaseSettings): string | null {
  return database.kind === "pglite" && database.dataDirectory !== MEMORY ? database.dataDirectory : null;
}

/** Whether another process holds the data directory. Neither changes nor opens it. */
export function checkDataDirectory(settings: DatabaseSettings): readonly Problem[] {
  const directory = dataDirectoryOf(settings);
  const holder = directory === null ? null : findHolder(directory);
  if (directory === null || holder === null) return [];
  return [problemWith("RAISEBOOK_DATA_DIR", inUse(directory, holder))];
}

/**
 * Opens the embedded database once and closes it. Only for the holder of the lock, while nothing else has it open. A mark of Ponder
 * that its tables are in use is then left over from a killed indexer and is removed, as Ponder would wait 25 s for it.
 *
 * @returns Ponder's checkpoint of the final block; null without one
 * @throws {DataDirectoryError} if it does not open
 */
export async function openEmbedded(settings: Settings): Promise<string | null> {
  const { database } = settings;
  if (database.kind !== "pglite" || database.directory === MEMORY) return null;
  const { directory } = database;
  // The first start creates it.
  if (!existsSync(directory) || readdirSync(directory).length === 0) return null;
  const schema = pg.escapeIdentifier(schemaNameOf(settings));
  const args = ["--eval", OPEN, directory, schema];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += String(chunk);
  });
  const [code] = await once(child, "close").catch(() => [null]);
  // Killed or never started: unknown.
  if (code === 0 || code === null) return output.trim() || null;
  const full = fullDisk(directory);
  if (full !== null) throw new DataDirectoryError(`${full}: make room there and start again`);
  const foreign = foreignFileIn(directory);
  if (foreign !== null)
    throw new DataDirectoryError(
      `has a file of another user, as after a command of root (${foreign}): give all back with sudo chown -R ` +
        `${process.getuid?.()}:${process.getgid?.()} ${directory} and start again`,
    );
  throw new DataDirectoryError(
    `holds a database that cannot be opened (${directory}: ${output.trim()}): move the directory ` +
      "away and start again; everything in it is read from the chain again",
  );
}

/** The first path that this process may not use. Root may use all, and leaves its own to the user that owns the others. */
function foreignFileIn(directory: string): string | null {
  const isRoot = process.getuid?.() === 0;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    const isFolder = entry.isDirectory();
    if (isRoot ? lstatSync(path).uid !== 0 : !isUsable(path, isFolder)) return path;
    const inside = isFolder ? foreignFileIn(path) : null;
    if (inside !== null) return inside;
  }
  return null;
}

function isUsable(path: string, isFolder: boolean): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | (isFolder ? constants.X_OK : 0));
    return true;
  } catch {
    return false;
  }
}

/** By error code of PostgreSQL or of the system. */
const REMEDIES: Readonly<Record<string, string>> = {
  "28P01": "Check the user and the password in it.",
  "28000": "Check the user in it, and that pg_hba.conf lets it in from here.",
  "3D000": "Create the database (createdb), or check its name.",
  "53300": "Raise max_connections of PostgreSQL, or close unused connections.",
  ECONNREFUSED: "Start PostgreSQL there, or check host and port.",
  ENOTFOUND: "Check the host name.",
  ENOENT: "Check the directory of its socket, or start PostgreSQL.",
};

function remedyOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  // The client itself refuses a user without a password if the server requires one.
  if (/password/i.test(message)) return REMEDIES["28P01"] ?? "";
  return REMEDIES[code ?? ""] ?? "Look whether PostgreSQL is up, and reachable from this machine.";
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  // A host name with several addresses fails with one error per address, and an empty message.
  return message || code || "no answer";
}

/** Free bytes below which a disk is nearly full. */
const NEARLY_FULL = 2 ** 30;
/** Milliseconds between checks of a full disk. */
const CHECK_INTERVAL = 2_000;

/** Free megabytes, null if the system does not say; and a warning if that is little. */
export function checkDisk(directory: string): { freeMb: number | null; warning: string | null } {
  const free = freeDiskAt(directory);
  if (free === null) return { freeMb: null, warning: null };
  const freeMb = Math.round(free / 1e6);
  const warning = free < NEARLY_FULL ? `is on a disk with ${freeMb} MB left (${directory})` : null;
  return { freeMb, warning };
}

/** Whether the disk of the embedded database is full: the service is not started then, and a running indexer waits. */
export function checkDataDisk(settings: Pick<Settings, "database">): readonly Problem[] {
  const directory = dataDirectoryOf(settings);
  const problem = directory === null ? null : fullDisk(directory);
  if (problem === null) return [];
  const remedy = "Make room on that disk. The data are intact, and the service goes on by itself.";
  return [problemWith("RAISEBOOK_DATA_DIR", problem, remedy)];
}

/** Resolves when the disk of the embedded database has space again, or at the signal. */
export async function untilRoom(
  settings: Settings,
  log: Pick<Logger, "info" | "warn">,
  signal: AbortSignal,
): Promise<void> {
  const [full] = checkDataDisk(settings);
  if (full === undefined) return;
  log.warn({ msg: `${full.variable} ${full.problem}`, remedy: full.remedy });
  while (!signal.aborted && checkDataDisk(settings).length > 0)
    await sleep(CHECK_INTERVAL, undefined, { signal }).catch(() => {});
  if (!signal.aborted) log.info({ msg: "There is room on the disk again" });
}
