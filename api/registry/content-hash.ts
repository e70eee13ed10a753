/** @module Hashes of a registry's canonical JSON, in steps that other work can run between. */
import { createHash } from "node:crypto";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex } from "viem";

/** Characters of a step. */
const STEP = 256 * 1024;

/** The texts as UTF-8, joined to chunks of some size. */
export function* chunksOf(texts: Iterable<string>): Generator<Uint8Array> {
  let waiting: string[] = [];
  let length = 0;
  for (const text of texts) {
    waiting.push(text);
    length += text.length;
    if (length < STEP) continue;
    yield Buffer.from(waiting.join(""));
    waiting = [];
    length = 0;
  }
  yield Buffer.from(waiting.join(""));
}

export function* keccak(texts: Iterable<string>): Generator<void, `0x${string}`> {
  const sum = keccak_256.create();
  for (const chunk of chunksOf(texts)) {
    sum.update(chunk);
    yield;
  }
  return bytesToHex(sum.digest());
}

export function* sha256(texts: Iterable<string>): Generator<void, `0x${string}`> {
  const sum = createHash("sha256");
  for (const chunk of chunksOf(texts)) {
    sum.update(chunk);
    yield;
  }
  return `0x${sum.digest("hex")}`;
}
