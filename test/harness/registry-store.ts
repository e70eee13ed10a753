/** @module Stores of a registry: each ends with the test that opened it. */
import { onTestFinished } from "vitest";
import {
  createRegistryStore,
  type RegistryStore,
  type RegistryStoreOptions,
} from "../../api/registry/store.ts";
import { recordedLog } from "./snapshot.ts";

/** For a store that looks only when it is told to, or by a watch. */
export const NO_POLL = 3_600_000;

export async function openStore(options: Omit<RegistryStoreOptions, "log">) {
  const { log, lines } = recordedLog();
  const store = await createRegistryStore({ pollInterval: 20, ...options, log });
  onTestFinished(() => store.stop());
  return { store, lines };
}

export const idsIn = (store: RegistryStore) => store.current().listings.map(({ publicId }) => publicId);
export const titlesIn = (store: RegistryStore) => store.current().listings.map(({ title }) => title);
