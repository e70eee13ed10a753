/**
 * The last good copy of the registry, kept for a restart: a document that is being edited while the indexer is
 * started again must not end the service.
 * @module
 */
import { readFile, rename, writeFile } from "node:fs/promises";

/** The kept document; null when there is none. */
export async function readLastGood(path: string | undefined): Promise<Uint8Array | null> {
  if (path === undefined) return null;
  return readFile(path).catch(() => null);
}

/** Keeps `bytes` at `path`, whole or not at all. */
export async function keepLastGood(path: string | undefined, bytes: Uint8Array): Promise<void> {
  if (path === undefined) return;
  await writeFile(`${path}.new`, bytes);
  await rename(`${path}.new`, path);
}
