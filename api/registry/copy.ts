/** @module A usable copy of the registry: read, checked, and signed if required. The last one is kept for a restart. */
import { readFile, rename, writeFile } from "node:fs/promises";
import type { RegistrySource } from "../../config/values.ts";
import type { Draft } from "./draft.ts";
import { RegistryError } from "./error.ts";
import { draftOf } from "./json-stream.ts";
import { loadRegistry } from "./load.ts";
import { digestFor, type LoadOptions, type Validators } from "./loaded.ts";
import type { Parsed } from "./parsed.ts";
import { type RequiredSigner, requireLater, requireSigner } from "./signature.ts";

/** A registry that follows every rule, and is signed if required. */
export type Copy = Parsed;

/** The first copy, and the state of the source itself. */
export type FirstCopy = {
  readonly copy: Copy;
  readonly validators: Validators;
  readonly problem: string | null;
};

export type LastGood = {
  /** Null when there is no copy. */
  read(): Promise<Uint8Array | null>;
  write(content: Iterable<Uint8Array>): Promise<void>;
};

export function lastGoodFile(path: string): LastGood {
  return {
    read: () => readFile(path),
    async write(content) {
      // Several readers save it at the same time.
      const unfinished = `${path}.${process.pid}`;
      await writeFile(unfinished, content, { flush: true });
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
    const before = signer === null ? null : await readLastGood(lastGood, signer, source);
    const copy = await copyOf(loaded.draft, signer, before);
    return { copy, validators: loaded.validators, problem: null };
  } catch (error) {
    const saved = await readLastGood(lastGood, signer, source);
    if (saved === null) throw error;
    return { copy: saved, validators: null, problem: summaryOf(error) };
  }
}

/** @param before in use: with a signer, only a later document may replace it. @throws {RegistryError} when the document is unusable */
async function copyOf(draft: Draft, signer: RequiredSigner | null, before: Copy | null): Promise<Copy> {
  const copy = await draft.finish();
  if (signer !== null) {
    await requireSigner(copy.registry, signer);
    if (before !== null) requireLater(copy.registry, before.registry);
  }
  return copy;
}

/** The copy, or a summary of its problems. */
export async function tryCopy(
  draft: Draft,
  signer: RequiredSigner | null,
  before: Copy,
): Promise<Copy | string> {
  try {
    return await copyOf(draft, signer, before);
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
  source: RegistrySource,
): Promise<Copy | null> {
  try {
    const bytes = (await lastGood?.read()) ?? null;
    return bytes === null ? null : await copyOf(await draftOf(bytes, digestFor(source)), signer, null);
  } catch {
    return null;
  }
}
