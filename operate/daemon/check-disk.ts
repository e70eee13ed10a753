/**
 * Checks the free space on the database's disk.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { freeDiskAt, fullDisk } from "../../config/disk-space.ts";
import type { Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import { type Problem, problemWith } from "../../config/problems.ts";
import { dataDirectoryOf } from "./check-database.ts";

/** Free bytes below which a disk is nearly full. */
const NEARLY_FULL = 2 ** 30;
/** Milliseconds between checks of a full disk. */
const CHECK_INTERVAL = 2_000;

/** Free megabytes, null if the system does not say; and a warning if that is little. */
export function checkDisk(directory: string): { freeMb: number | null; warning: string | null } {
  const free = freeDiskAt(directory);
  if (free === null) return { freeMb: null, warning: null };
  const freeMb = Math.round(free / 1e6);
  return {
    freeMb,
    warning: free < NEARLY_FULL ? `is on a disk with ${freeMb} MB left (${directory})` : null,
  };
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
