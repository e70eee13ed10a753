/** @module Hashes of a registry's canonical JSON, in steps that other work can run between. */
import { createHash } from "node:crypto";
import { setImmediate as pause } from "node:timers/promises";
import { bytesToHex } from "viem";
import { createKeccak } from "../../config/keccak.ts";

/** Bytes of a step. */
const STEP = 256 * 1024;

const COMMA = 0x2c;

/** The parts, texts as UTF-8, joined to chunks of some size. Each chunk may be kept. */
export function* chunksOf(parts: Iterable<string | Uint8Array>): Generator<Uint8Array> {
  let chunk = Buffer.allocUnsafe(STEP);
  let filled = 0;
  for (const part of parts) {
    const size = typeof part !== "string" ? part.length : part === "," ? 1 : Buffer.byteLength(part);
    if (filled + size > chunk.length) {
      if (filled > 0) yield chunk.subarray(0, filled);
      chunk = Buffer.allocUnsafe(Math.max(STEP, size));
      filled = 0;
    }
    if (part === ",") chunk[filled] = COMMA;
    else if (typeof part === "string") chunk.write(part, filled);
    else chunk.set(part, filled);
    filled += size;
  }
  if (filled > 0) yield chunk.subarray(0, filled);
}

export function* keccak(parts: Iterable<string | Uint8Array>): Generator<void, `0x${string}`> {
  const sum = createKeccak();
  for (const chunk of chunksOf(parts)) {
    sum.update(chunk);
    yield;
  }
  return bytesToHex(sum.digest());
}

export function* sha256(parts: Iterable<string | Uint8Array>): Generator<void, `0x${string}`> {
  const sum = createHash("sha256");
  for (const chunk of chunksOf(parts)) {
    sum.update(chunk);
    yield;
  }
  return `0x${sum.digest("hex")}`;
}

/** Other work runs between the steps. */
export async function withPauses<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await pause();
  }
}
