/**
 * Recursive Length Prefix, read from its definition (Yellow Paper, appendix B), and paths through a Merkle-Patricia trie (appendix
 * D). Over bytes, and strict: what is not the one encoding of something is refused.
 * @module
 */
import { keccak256 } from "viem";

export type Item = Uint8Array | Item[];

/** The item that these bytes are. @throws when they are none, or not all of them */
export function readRlp(bytes: Uint8Array): Item {
  const [item, end] = itemAt(bytes, 0);
  if (end !== bytes.length) throw new Error("bytes behind the item");
  return item;
}

function itemAt(bytes: Uint8Array, at: number): [item: Item, end: number] {
  const first = bytes[at];
  if (first === undefined) throw new Error("an item is missing");
  if (first < 0x80) return [bytes.slice(at, at + 1), at + 1];
  const isList = first >= 0xc0;
  const offset = first - (isList ? 0xc0 : 0x80);
  let start = at + 1;
  let length = offset;
  if (offset > 55) {
    const digits = bytes.slice(start, start + offset - 55);
    if (digits.length !== offset - 55 || digits[0] === 0) throw new Error("a length is not written shortest");
    start += digits.length;
    length = digits.reduce((value, digit) => value * 256 + digit, 0);
    if (length <= 55) throw new Error("a length is not written shortest");
  }
  const end = start + length;
  if (end > bytes.length) throw new Error("an item is cut off");
  if (!isList) {
    const string = bytes.slice(start, end);
    if (string.length === 1 && (string[0] ?? 0) < 0x80) throw new Error("a byte is not written shortest");
    return [string, end];
  }
  const items: Item[] = [];
  for (let next = start; next < end; ) {
    const [item, after] = itemAt(bytes, next);
    if (after > end) throw new Error("an item reaches out of its list");
    items.push(item);
    next = after;
  }
  return [items, end];
}

export function stringOf(item: Item | undefined): Uint8Array {
  if (!(item instanceof Uint8Array)) throw new Error("a string is expected");
  return item;
}

export function listOf(item: Item | undefined): Item[] {
  if (item === undefined || item instanceof Uint8Array) throw new Error("a list is expected");
  return item;
}

/** A whole number without leading zeros. */
export function numberOf(item: Item | undefined): bigint {
  const digits = stringOf(item);
  if (digits[0] === 0) throw new Error("a number has leading zeros");
  return digits.reduce((value, digit) => value * 256n + BigInt(digit), 0n);
}

/** The RLP of a whole number, which is a key of the trie of receipts. */
export function rlpOfNumber(value: number): Uint8Array {
  if (value === 0) return Uint8Array.of(0x80);
  const digits: number[] = [];
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  return digits.length === 1 && value < 0x80
    ? Uint8Array.from(digits)
    : Uint8Array.of(0x80 + digits.length, ...digits);
}

export function isHashOf(hash: Uint8Array, bytes: Uint8Array): boolean {
  const made = keccak256(bytes, "bytes");
  return hash.length === 32 && made.every((byte, index) => byte === hash[index]);
}

/** The value at `key` in the trie of this root, by the nodes on the way. @throws when they do not lead there */
export function follow(root: Uint8Array, key: Uint8Array, nodes: readonly Uint8Array[]): Uint8Array {
  const nibbles = [...key].flatMap((byte) => [byte >> 4, byte & 15]);
  let hash = root;
  for (const [index, bytes] of nodes.entries()) {
    if (!isHashOf(hash, bytes)) throw new Error(`node ${index} has another hash`);
    const node = listOf(readRlp(bytes));
    let value: Uint8Array | null = null;
    if (node.length === 17) {
      const nibble = nibbles.shift();
      const next = stringOf(node[nibble ?? 16]);
      if (nibble === undefined) value = next;
      else hash = next;
    } else if (node.length === 2) {
      const packed = [...stringOf(node[0])].flatMap((byte) => [byte >> 4, byte & 15]);
      const [flag = 4, padding] = packed;
      if (flag > 3 || (flag % 2 === 0 && padding !== 0)) throw new Error(`node ${index} has no valid key`);
      const part = packed.slice(flag % 2 === 0 ? 2 : 1);
      if (part.some((nibble) => nibble !== nibbles.shift()))
        throw new Error(`node ${index} is of another key`);
      if (flag < 2) hash = stringOf(node[1]);
      else if (nibbles.length > 0) throw new Error(`node ${index} is a leaf of a shorter key`);
      else value = stringOf(node[1]);
    } else throw new Error(`node ${index} is none`);
    if (value !== null) {
      if (index !== nodes.length - 1 || value.length === 0)
        throw new Error("the path does not end at a value");
      return value;
    }
  }
  throw new Error("the path ends too early");
}
