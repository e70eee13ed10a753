/** @module A usable copy of the registry: read, checked, and signed if required. The last one is kept for a restart. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { writeInPlace } from "../../config/unfinished.ts";
import type { RegistrySource } from "../../config/values.ts";
import type { Draft } from "./draft.ts";
import { RegistryError } from "./error.ts";
import { draftOf } from "./json-stream.ts";
import { loadRegistry } from "./load.ts";
import { digestFor, type Loaded, type LoadOptions, type Validators } from "./loaded.ts";
import type { Parsed } from "./parsed.ts";
import type { RegistryKeeper } from "./registry-keeper.ts";
import type { SavedCopy } from "./saved.ts";
import { type RequiredSigner, requireLater, requireSigner } from "./signature.ts";

/** The first copy, and the state of the source itself. */
export type FirstCopy = {
  readonly copy: Parsed;
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
  const ifThere = <Result>(reading: Promise<Result>): Promise<Result | null> =>
    reading.catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    });
  const sumOf = async () => {
    const digest = createHash("sha256");
    for await (const chunk of createReadStream(path)) digest.update(chunk);
    return digest.digest("hex");
  };
  return {
    read: () => ifThere(readFile(path)),
    holds: async (sum) => (await ifThere(sumOf())) === sum,
    write: (content) => writeInPlace(path, (unfinished) => writeFile(unfinished, content, { flush: true })),
  };
}

export type FirstCopyParameters = {
  readonly source: RegistrySource;
  /** Null: it need not be signed. */
  readonly signer: RequiredSigner | null;
  readonly lastGood?: LastGood | undefined;
  readonly saved?: RegistryKeeper | undefined;
};

type SourceCopy = Omit<FirstCopy, "problem">;

const UNREADABLE = "revision: the copy in use before cannot be read, so this document may be an older one";

/**
 * Asks the source whether it still has what was saved; `read` then has it, whatever the answer. Entries that were saved are not
 * validated again.
 * @throws {RegistryError} when the source is unreadable
 */
export async function askSource(
  { source, signer, saved }: Omit<FirstCopyParameters, "lastGood">,
  load: LoadOptions = {},
) {
  let reading: Promise<SavedCopy | null> | null = null;
  const kept = () => {
    reading ??= saved?.read() ?? Promise.resolve(null);
    return reading;
  };
  const known = async () => (await kept())?.copy.known;
  const ask = (validators: Validators) => loadRegistry(source, { ...load, validators, known });
  const copyIn = async (loaded: Loaded): Promise<SourceCopy> => {
    if (loaded.kind === "unchanged") throw new RegistryError(["the registry's server sent no document"]);
    return { copy: await copyOf(loaded.draft, signer), validators: loaded.validators, savedSum: null };
  };

  const asked = (await saved?.validators()) ?? null;
  const loaded = await ask(asked);
  return {
    isUnchanged: asked !== null && loaded.kind === "unchanged",
    kept,
    /** @throws {RegistryError} when the document is unusable */
    async read(): Promise<SourceCopy> {
      if (asked === null || loaded.kind === "document") return copyIn(loaded);
      const found = await kept();
      // The rest of the file may be damaged, or another process has written it since.
      if (found === null || !isDeepStrictEqual(found.validators, asked)) return copyIn(await ask(null));
      return { copy: found.copy, validators: loaded.validators ?? asked, savedSum: found.sum };
    },
  };
}

/**
 * The source's document or, if that is bad, the last good copy. A saved copy spares the validation of the entries in it.
 * @throws {RegistryError} when none can be used
 */
export async function loadFirstCopy(
  { lastGood, ...parameters }: FirstCopyParameters,
  load: LoadOptions = {},
): Promise<FirstCopy> {
  const { source, signer } = parameters;
  let kept: SavedCopy | null = null;
  try {
    const asked = await askSource(parameters, load);
    const found = await asked.read();
    if (signer !== null) {
      kept = await asked.kept();
      const before = await readLastGood(lastGood, signer, source, kept).catch(() => {
        throw new RegistryError([UNREADABLE]);
      });
      if (before !== null) requireLater(found.copy.registry, before.registry);
    }
    return { ...found, problem: null };
  } catch (error) {
    kept ??= (await parameters.saved?.read()) ?? null;
    const last = await readLastGood(lastGood, signer, source, kept).catch(() => null);
    if (last === null) throw error;
    return { copy: last, validators: null, problem: summaryOf(error), savedSum: null };
  }
}

/** @throws {RegistryError} when the document is unusable */
async function copyOf(draft: Draft, signer: RequiredSigner | null): Promise<Parsed> {
  const copy = await draft.finish();
  if (signer !== null) await requireSigner(copy.registry, signer);
  return copy;
}

/** The copy, or a summary of its problems. @param before in use: with a signer, only a later document may replace it */
export async function tryCopy(
  draft: Draft,
  signer: RequiredSigner | null,
  before: Parsed,
): Promise<Parsed | string> {
  try {
    const copy = await copyOf(draft, signer);
    if (signer !== null) requireLater(copy.registry, before.registry);
    return copy;
  } catch (error) {
    return summaryOf(error);
  }
}

export function summaryOf(error: unknown): string {
  // Other errors may name local files.
  return error instanceof RegistryError ? error.summary : "the registry could not be read";
}

/**
 * Null when there is no usable copy.
 * @param saved the same content needs no second look
 * @throws when it is unknown whether there is one
 */
export async function readLastGood(
  lastGood: LastGood | undefined,
  signer: RequiredSigner | null,
  source: RegistrySource,
  saved: SavedCopy | null = null,
): Promise<Parsed | null> {
  if (saved !== null && (await lastGood?.holds(saved.sum))) return saved.copy;
  const bytes = (await lastGood?.read()) ?? null;
  if (bytes === null) return null;
  try {
    const options = { digest: digestFor(source), known: saved?.copy.known };
    return await copyOf(await draftOf(bytes, options), signer);
  } catch {
    return null;
  }
}
