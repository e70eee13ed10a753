/**
 * Sorted leaves of a Merkle tree as bytes in one buffer outside of the heap: as objects they would take five times the memory. Parts are
 * views of the same buffer.
 * @module
 */
import { hash } from "node:crypto";
import type { Hex } from "viem";

/** A key has an even number of hexadecimal digits, at most 510. */
export type Leaf = { readonly key: string; readonly hash: Hex };

export type Packed = {
  /** a header of the bytes in a key, whether the hash is known, and the hash of all leaves; then the leaves: key and hash */
  readonly bytes: Buffer;
  /** index of the first leaf */
  readonly first: number;
  /** one or more */
  readonly count: number;
};

export const FIRST_DIGITS = 3;
const HASH_BYTES = 32;
const KNOWN_AT = 1;
const HASH_AT = 2;
const HEADER = HASH_AT + HASH_BYTES;
const DIGITS = "0123456789abcdef";
/** Put before what is hashed, so that no leaf can pass for a branch (as in RFC 6962). */
const BRANCH = 1;

/** @param unsorted one or more, in any order, each key once */
export function packSorted(unsorted: readonly Leaf[]): Packed {
  const leaves = unsorted.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const keyBytes = (leaves[0]?.key.length ?? 0) / 2;
  const packed = allocate(keyBytes, leaves.length);
  let at = HEADER;
  for (const { key, hash } of leaves) {
    packed.bytes.write(key, at, "hex");
    packed.bytes.write(hash.slice(2), at + keyBytes, "hex");
    at += keyBytes + HASH_BYTES;
  }
  return packed;
}

/** The leaves of both; of two with one key that of `added`. */
export function mergePacked(packed: Packed, added: Packed): Packed {
  /** for each leaf of `added`, the first one of `packed` that is not before it, and the first one behind it */
  const places: (readonly [place: number, next: number])[] = [];
  let [next, replaced] = [0, 0];
  for (let index = 0; index < added.count; index += 1) {
    const place = placeOf(packed, next, added, index);
    const isReplaced = place < packed.count && compareKeys(packed, place, added, index) === 0;
    if (isReplaced) replaced += 1;
    next = isReplaced ? place + 1 : place;
    places.push([place, next]);
  }
  const merged = allocate(keyBytesOf(packed), packed.count + added.count - replaced);
  let at = HEADER;
  let from = 0;
  for (const [index, [place, next]] of places.entries()) {
    at += copyLeaves(packed, from, place, merged, at);
    at += copyLeaves(added, index, index + 1, merged, at);
    from = next;
  }
  copyLeaves(packed, from, packed.count, merged, at);
  return merged;
}

/** The leaves of these, whose order they are in. */
export function concatPacked(parts: readonly Packed[]): Packed {
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const joined = allocate(keyBytesOf(parts[0] as Packed), count);
  let at = HEADER;
  for (const part of parts) at += copyLeaves(part, 0, part.count, joined, at);
  return joined;
}

/** The same with a buffer that has no other leaves. */
export function wholeOf(packed: Packed): Packed {
  return isWhole(packed) ? packed : concatPacked([packed]);
}

export function leafAt(packed: Packed, index: number): Leaf {
  return { key: keyAt(packed, index), hash: `0x${hashAt(packed, index).toString("hex")}` };
}

export function keyAt(packed: Packed, index: number): string {
  const start = startOf(packed, index);
  return packed.bytes.toString("hex", start, start + keyBytesOf(packed));
}

/** The number of the first digits of a key, which has four or more. */
export function firstDigitsOf(packed: Packed, index: number): number {
  return packed.bytes.readUInt16BE(startOf(packed, index)) >> 4;
}

/** How many digits all keys have in common. */
export function commonDigits(packed: Packed): number {
  const { bytes } = packed;
  const length = keyBytesOf(packed);
  const [one, other] = [startOf(packed, 0), startOf(packed, packed.count - 1)];
  let byte = 0;
  while (byte < length && bytes[one + byte] === bytes[other + byte]) byte += 1;
  if (byte === length) return 2 * length;
  return 2 * byte + (((bytes[one + byte] as number) ^ (bytes[other + byte] as number)) < 16 ? 1 : 0);
}

/** The digit of the first key at this position. */
export function digitOfPacked(packed: Packed, position: number): string {
  return DIGITS.charAt(digitAt(packed, 0, position));
}

/** Views of the leaves by their digit at this position, up to which their keys are the same. */
export function groupsOf(packed: Packed, position: number): Packed[] {
  const { bytes, first, count } = packed;
  const groups: Packed[] = [];
  let start = 0;
  for (let index = 1; index <= count; index += 1) {
    if (index < count && digitAt(packed, index, position) === digitAt(packed, start, position)) continue;
    groups.push({ bytes, first: first + start, count: index - start });
    start = index;
  }
  return groups;
}

/** The hash of the tree of these leaves. It is kept, except for a view of a part. */
export function hashOfPacked(packed: Packed): Buffer {
  const { bytes, count } = packed;
  if (count === 1) return hashAt(packed, 0);
  const kept = bytes.subarray(HASH_AT, HEADER);
  if (isHashed(packed)) return kept;
  const position = commonDigits(packed);
  const groups = groupsOf(packed, position);
  const found = branchHash(groups.map((group) => [digitOfPacked(group, position), hashOfPacked(group)]));
  if (!isWhole(packed)) return found;
  found.copy(kept);
  bytes[KNOWN_AT] = 1;
  return kept;
}

/** Whether the hash is there without work. */
export function isHashed(packed: Packed): boolean {
  return packed.count === 1 || (packed.bytes[KNOWN_AT] === 1 && isWhole(packed));
}

/** @param children the digit by which each differs, in order, and its hash */
export function branchHash(children: readonly (readonly [digit: string, hash: Uint8Array])[]): Buffer {
  const content = Buffer.allocUnsafe(1 + children.length * (1 + HASH_BYTES));
  content[0] = BRANCH;
  let at = 1;
  for (const [digit, hash] of children) {
    content[at] = digit.charCodeAt(0);
    content.set(hash, at + 1);
    at += 1 + HASH_BYTES;
  }
  return hash("sha256", content, "buffer");
}

/** A pooled buffer would keep its whole pool. */
function allocate(keyBytes: number, count: number): Packed {
  const bytes = Buffer.allocUnsafeSlow(HEADER + count * (keyBytes + HASH_BYTES));
  bytes[0] = keyBytes;
  bytes[KNOWN_AT] = 0;
  return { bytes, first: 0, count };
}

function keyBytesOf({ bytes }: Packed): number {
  return bytes[0] as number;
}

function startOf(packed: Packed, index: number): number {
  return HEADER + (packed.first + index) * (keyBytesOf(packed) + HASH_BYTES);
}

function isWhole(packed: Packed): boolean {
  return startOf(packed, packed.count) - startOf(packed, 0) === packed.bytes.length - HEADER;
}

function hashAt(packed: Packed, index: number): Buffer {
  const start = startOf(packed, index) + keyBytesOf(packed);
  return packed.bytes.subarray(start, start + HASH_BYTES);
}

function digitAt(packed: Packed, index: number, position: number): number {
  const byte = packed.bytes[startOf(packed, index) + (position >> 1)] as number;
  return position % 2 === 0 ? byte >> 4 : byte & 15;
}

function compareKeys(packed: Packed, index: number, other: Packed, otherIndex: number): number {
  const [start, otherStart] = [startOf(packed, index), startOf(other, otherIndex)];
  const length = keyBytesOf(packed);
  return packed.bytes.compare(other.bytes, otherStart, otherStart + length, start, start + length);
}

/** The first leaf, from this index on, whose key is not before the other. */
function placeOf(packed: Packed, from: number, other: Packed, index: number): number {
  let [low, high] = [from, packed.count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareKeys(packed, middle, other, index) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns how many bytes these are. */
function copyLeaves(from: Packed, first: number, end: number, to: Packed, at: number): number {
  return first === end ? 0 : from.bytes.copy(to.bytes, at, startOf(from, first), startOf(from, end));
}
