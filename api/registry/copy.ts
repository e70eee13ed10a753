/** @module A usable copy of the registry: read, checked, and signed if required. The last one is kept for a restart. */
import { createHash } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import type { RegistrySource } from "../../config/values.ts";
import { type LoadOptions, loadRegistry, type Validators } from "./load.ts";
import { parseRegistry, RegistryError } from "./parse.ts";
import type { Registry } from "./schema.ts";
import { type RequiredSigner, requireLater, requireSigner } from "./signature.ts";

export type Copy = {
  readonly registry: Registry;
  /** First 16 hex digits of the sha256 of the bytes. */
  readonly version: string;
  readonly bytes: Uint8Array;
};

/** The first copy, and the state of the source itself. */
export type FirstCopy = {
  readonly copy: Copy;
  readonly validators: Validators;
  readonly problem: string | null;
};

export type LastGood = {
  /** Null when there is no copy. */
  read(): Promise<Uint8Array | null>;
  write(bytes: Uint8Array): Promise<void>;
};

export function lastGoodFile(path: string): LastGood {
  return {
    read: () => readFile(path),
    async write(bytes) {
      // Several readers save it at the same time.
      const unfinished = `${path}.${process.pid}`;
      await writeFile(unfinished, bytes, { flush: true });
      await rename(unfinished, path);
    },
  };
}

type FirstCopyParameters = {
  readonly source: RegistrySource;
  /** Null: it need not be signed. */
  readonly signer: RequiredSigner | null;
  readonly lastGood?: LastGood | undefined;
};

/** The source's document or, if that is bad, the last good copy. @throws {RegistryError} when neither can be used */
export async function loadFirstCopy(
  { source, signer, lastGood }: FirstCopyParameters,
  load: LoadOptions,
): Promise<FirstCopy> {
  try {
    const loaded = await loadRegistry(source, load);
    if (loaded.kind === "unchanged") throw new RegistryError(["the registry's server sent no document"]);
    const before = signer === null ? null : await readLastGood(lastGood, signer);
    const copy = await copyOf(loaded.bytes, signer, before);
    return { copy, validators: loaded.validators, problem: null };
  } catch (error) {
    const saved = await readLastGood(lastGood, signer);
    if (saved === null) throw error;
    return { copy: saved, validators: null, problem: summaryOf(error) };
  }
}

/** @param before in use: with a signer, only a later document may replace it. @throws {RegistryError} when the bytes are unusable */
async function copyOf(bytes: Uint8Array, signer: RequiredSigner | null, before: Copy | null): Promise<Copy> {
  const registry = parseRegistry(bytes);
  if (signer !== null) {
    await requireSigner(registry, signer);
    if (before !== null) requireLater(registry, before.registry);
  }
  return { registry, version: createHash("sha256").update(bytes).digest("hex").slice(0, 16), bytes };
}

/** The copy, or a summary of its problems. */
export async function tryCopy(
  bytes: Uint8Array,
  signer: RequiredSigner | null,
  before: Copy,
): Promise<Copy | string> {
  try {
    return await copyOf(bytes, signer, before);
  } catch (error) {
    return summaryOf(error);
  }
}

export function summaryOf(error: unknown): string {
  // Other errors may name local files.
  return error instanceof RegistryError ? error.summary : "the registry could not be read";
}

/** Null when there is no usable copy. */
export async function readLastGood(
  lastGood: LastGood | undefined,
  signer: RequiredSigner | null,
): Promise<Copy | null> {
  try {
    const bytes = (await lastGood?.read()) ?? null;
    return bytes === null ? null : await copyOf(bytes, signer, null);
  } catch {
    return null;
  }
}
