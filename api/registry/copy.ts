/** @module A usable copy of the registry: read, checked, and signed if required. The last one is kept for a restart. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import type { RegistrySource } from "../../config/values.ts";
import type { Draft } from "./draft.ts";
import { RegistryError } from "./error.ts";
import { draftOf } from "./json-stream.ts";
import { loadRegistry } from "./load.ts";
import { digestFor, type LoadOptions, type Validators } from "./loaded.ts";
import type { Parsed } from "./parsed.ts";
import type { RegistryKeeper } from "./registry-keeper.ts";
import type { SavedCopy } from "./saved.ts";
import { type RequiredSigner, requireLater, requireSigner } from "./signature.ts";

/** A registry that follows every rule, and is signed if required. */
export type Copy = Parsed;

/** The first copy, and the state of the source itself. */
export type FirstCopy = {
  readonly copy: Copy;
  readonly validators: Validators;
  readonly problem: string | null;
  /** The sha256 of its content if it is the copy that was saved before. */
  readonly savedSum: string | null;
};

export type LastGood = {
  /** Null when there is no copy. */
  read(): Promise<Uint8Array | null>;
  /** Whether it has the content with this sha256, in hex. */
  holds(sum: string): Promise<boolean>;
  write(content: Iterable<Uint8Array>): Promise<void>;
};

export function lastGoodFile(path: string): LastGood {
  return {
    read: () => readFile(path),
    async holds(sum) {
      const digest = createHash("sha256");
      for await (const chunk of createReadStream(path)) digest.update(chunk);
      return digest.digest("hex") === sum;
    },
    async write(content) {
      // Several readers save it at the same time.
      const unfinished = `${path}.${process.pid}`;
      await writeFile(unfinished, content, { flush: true });
      await rename(unfinished, path);
    },
  };
}

export type FirstCopyParameters = {
  readonly source: RegistrySource;
  /** Null: it need not be signed. */
  readonly signer: RequiredSigner | null;
  readonly lastGood?: LastGood | undefined;
  readonly saved?: RegistryKeeper | undefined;
};

/**
 * The source's document or, if that is bad, the last good copy. A saved copy spares the validation of the entries in it.
 * @throws {RegistryError} when none can be used
 */
export async function loadFirstCopy(
  { source, signer, lastGood, saved }: FirstCopyParameters,
  load: LoadOptions = {},
): Promise<FirstCopy> {
  const kept = (await saved?.read()) ?? null;
  const before = () => readLastGood(lastGood, signer, source, kept);
  try {
    const validators = kept?.validators ?? null;
    const loaded = await loadRegistry(source, { ...load, validators, known: kept?.copy.known });
    if (loaded.kind === "document") {
      const copy = await copyOf(loaded.draft, signer, signer === null ? null : await before());
      return { copy, validators: loaded.validators, problem: null, savedSum: null };
    }
    if (kept === null) throw new RegistryError(["the registry's server sent no document"]);
    const { copy, sum: savedSum } = kept;
    const used = signer === null ? null : await before();
    if (used !== null) requireLater(copy.registry, used.registry);
    return { copy, validators: loaded.validators ?? validators, problem: null, savedSum };
  } catch (error) {
    const last = await before();
    if (last === null) throw error;
    return { copy: last, validators: null, problem: summaryOf(error), savedSum: null };
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

/** Null when there is no usable copy. @param saved the same content needs no second look */
export async function readLastGood(
  lastGood: LastGood | undefined,
  signer: RequiredSigner | null,
  source: RegistrySource,
  saved: SavedCopy | null = null,
): Promise<Copy | null> {
  try {
    if (saved !== null && (await lastGood?.holds(saved.sum))) return saved.copy;
    const bytes = (await lastGood?.read()) ?? null;
    if (bytes === null) return null;
    return await copyOf(
      await draftOf(bytes, { digest: digestFor(source), known: saved?.copy.known }),
      signer,
      null,
    );
  } catch {
    return null;
  }
}
