/**
 * Whether the embedded database can be had: nobody else has its directory, and it opens.
 * @module
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { MEMORY, type Problem, problemWith, type Settings } from "../config/environment.ts";
import { DataDirectoryError, findHolder } from "./data-lock.ts";

const PONDER = fileURLToPath(new URL("../node_modules/ponder/package.json", import.meta.url));
/** The very version that Ponder opens it with. */
const PGLITE = createRequire(PONDER).resolve("@electric-sql/pglite");
/** In a process of its own: what it allocates is gone with it, and an abort ends nothing else. */
const OPEN = `
  const { PGlite } = require(${JSON.stringify(PGLITE)});
  PGlite.create(process.argv[1]).then((database) => database.close()).catch(({ message }) => {
    console.log(message);
    process.exitCode = 1;
  });`;

/** The directory of our own; null when the database keeps nothing or is not embedded. */
export function dataDirectoryOf({ database }: Pick<Settings, "database">): string | null {
  return database.kind === "pglite" && database.dataDirectory !== MEMORY ? database.dataDirectory : null;
}

/** Whether another process has the directory. Changes nothing, and does not open it. */
export function checkDataDirectory(settings: Pick<Settings, "database">): readonly Problem[] {
  const directory = dataDirectoryOf(settings);
  const problem = directory === null ? null : findHolder(directory);
  return problem === null ? [] : [problemWith("RAISEBOOK_DATA_DIR", problem)];
}

/**
 * Opens the database once and closes it. Ponder tries one that cannot be opened for a minute, with a stack trace each
 * time. To be called by who has the lock, while nothing else has it open.
 *
 * @throws {DataDirectoryError} when it does not open
 */
export async function requireThatItOpens({ database }: Pick<Settings, "database">): Promise<void> {
  if (database.kind !== "pglite" || database.directory === MEMORY) return;
  const { directory } = database;
  // It is made at the first start.
  if (!existsSync(directory) || readdirSync(directory).length === 0) return;
  const child = spawn(process.execPath, ["--eval", OPEN, directory], { stdio: ["ignore", "pipe", "ignore"] });
  let reason = "";
  child.stdout.on("data", (chunk) => {
    reason += String(chunk);
  });
  const [code] = await once(child, "close").catch(() => [null]);
  // Killed, or never begun, it has found nothing out.
  if (code === 0 || code === null) return;
  throw new DataDirectoryError(
    `holds a database that cannot be opened (${directory}: ${reason.trim()}): move the directory ` +
      "away and start again; everything in it is read from the chain again",
  );
}
