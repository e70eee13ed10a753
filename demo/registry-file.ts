/**
 * The registry document as a file that the indexer watches.
 * @module
 */
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RegistryDocument } from "../api/registry/schema.ts";

export type RegistryFile = {
  readonly path: string;
  /** Replaces the document in one step, so that nobody reads half of it. */
  write(document: RegistryDocument): Promise<void>;
};

export function registryFileIn(directory: string): RegistryFile {
  const path = join(directory, "registry.json");
  return {
    path,
    async write(document) {
      await writeFile(`${path}.new`, JSON.stringify(document, null, 2));
      await rename(`${path}.new`, path);
    },
  };
}
