/** @module Loads a registry from a file. */
import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { open, stat } from "node:fs/promises";
import { errorCode } from "../../config/safe-fetch.ts";
import { createDraft } from "./draft.ts";
import { RegistryError } from "./error.ts";
import { readJson } from "./json-stream.ts";
import { byteCounter, DEFAULT_MAX_BYTES, type Loaded, type LoadOptions } from "./loaded.ts";
import { setTop } from "./parse.ts";

/** Bytes that are read at a time: other work runs in between. */
const CHUNK = 128 * 1024;

/** @throws {RegistryError} when it is unreadable */
export async function loadFile(
  path: string,
  { validators, known, maxBytes = DEFAULT_MAX_BYTES }: LoadOptions,
): Promise<Loaded> {
  try {
    const stats = await stat(path, { bigint: true });
    if (stats.isDirectory())
      throw new RegistryError(["the registry is not a regular file but a folder: end its path with a slash"]);
    if (!stats.isFile()) throw new RegistryError(["the registry is not a regular file"]);
    const version = fileVersion(stats);
    if (validators?.version === version) return { kind: "unchanged" };
    const size = `${stats.size}`;
    // Hashing takes a small part of the time of reading the entries.
    if (validators?.size === size) {
      const digits = await hashOf(path, maxBytes);
      if (digits === validators.sha256) return { kind: "unchanged", validators: { ...validators, version } };
    }
    const draft = createDraft({ known: await known?.() });
    const sum = createHash("sha256");
    const { members, bytes } = await readJson(draft, chunksOf(path, maxBytes, sum));
    const sha256 = sum.digest("hex");
    if (bytes === null) draft.setVersion(sha256);
    else draft.setRaw(bytes);
    if (members !== null) setTop(draft, members);
    return { kind: "document", draft, validators: { version, size, sha256 } };
  } catch (error) {
    if (error instanceof RegistryError) throw error;
    throw new RegistryError([describeFileError(error)]);
  }
}

/** With times in nanoseconds, since two saves within a millisecond are two versions. */
export function fileVersion({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

async function hashOf(path: string, maxBytes: number): Promise<string> {
  const sum = createHash("sha256");
  for await (const _ of chunksOf(path, maxBytes, sum));
  return sum.digest("hex");
}

async function* chunksOf(
  path: string,
  maxBytes: number,
  sum: { update(chunk: Uint8Array): unknown },
): AsyncGenerator<Uint8Array> {
  const count = byteCounter(maxBytes);
  const file = await open(path);
  try {
    for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: CHUNK })) {
      count(chunk);
      sum.update(chunk);
      yield chunk;
    }
  } finally {
    await file.close();
  }
}

function describeFileError(error: unknown): string {
  const code = errorCode(error);
  if (code === "ENOENT") return "the registry file does not exist";
  return `the registry file could not be read${code ? ` (${code})` : ""}`;
}
