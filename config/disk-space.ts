/** @module Free disk space for the embedded database. */
import { existsSync, statfsSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Bytes without which the disk counts as full. A database that meets a really full disk aborts, and its log grows by files of
 * 16 MB: https://www.postgresql.org/docs/current/wal-configuration.html
 */
const MINIMUM_FREE = 64e6;

/** Free bytes for this user on the disk of a path, which need not exist yet; null if the system does not say. */
export function freeDiskAt(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(nearestExisting(path));
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** The problem of a full disk, worded to follow a variable's name; null while there is space. */
export function fullDisk(directory: string): string | null {
  const free = freeDiskAt(directory);
  if (free === null || free >= MINIMUM_FREE) return null;
  const [left, least] = [free, MINIMUM_FREE].map((bytes) => `${Math.round(bytes / 1e6)} MB`);
  return `is on a full disk (${directory}): ${left} left, and ${least} are needed to write`;
}

/** The path, or the nearest directory above it that exists. */
export function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(resolve(path)));
}
