/** @module Files that are written next to their place and renamed at the end, so that a reader finds a whole file or none. */
import { readdir, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Milliseconds without a change after which an unfinished file counts as left by a killed process. */
const ABANDONED_AFTER = 3_600_000;
/** Follows the file's name, and names the process. A file with another ending may be an operator's. */
const UNFINISHED = /^\.\d+\.unfinished$/;

/**
 * @param link the file's place, or a link to it
 * @param write writes the file under the name that it is given; several processes may do so at the same time
 * @throws if something else than a file, such as a device, is in its place
 */
export async function writeInPlace(
  link: string,
  write: (unfinished: string) => Promise<unknown>,
): Promise<void> {
  const before = await stat(link).catch(() => null);
  if (before?.isFile() === false) throw new Error(`${link} is no regular file`);
  const path = await realpath(link).catch(() => link);
  const own = basename(path);
  const isOfPath = (name: string) => name.startsWith(own) && UNFINISHED.test(name.slice(own.length));
  await removeAbandoned(dirname(path), isOfPath);
  const unfinished = `${path}.${process.pid}.unfinished`;
  try {
    await write(unfinished);
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Removes the files and folders of a folder that are unfinished by their names, and have not changed for so long. */
export async function removeAbandoned(
  folder: string,
  isUnfinished: (name: string) => boolean,
  after = ABANDONED_AFTER,
): Promise<void> {
  for (const name of (await readdir(folder).catch(() => [])).filter(isUnfinished)) {
    const path = join(folder, name);
    // Another process may remove it, or own it.
    const changedAt = (await stat(path).catch(() => null))?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (Date.now() - changedAt > after) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}
