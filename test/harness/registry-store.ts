/**
 * Stores of a registry, and folders for what they read: each ends with the test that opened it.
 * @module
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createRegistryStore, type RegistryStoreOptions } from "../../api/registry/store.ts";
import { recordedLog } from "./snapshot.ts";

/** For a store that looks only when it is told to, or by a watch. */
export const NO_POLL = 3_600_000;

export async function temporaryFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "raisebook-registry-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

export async function openStore(options: Omit<RegistryStoreOptions, "log">) {
  const { log, lines } = recordedLog();
  const store = await createRegistryStore({ pollInterval: 20, ...options, log });
  onTestFinished(() => store.stop());
  return { store, lines };
}
