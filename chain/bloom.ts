/**
 * The filter in a block's header that says which addresses and topics its logs may have (Yellow Paper, section 4.4.3), against the
 * logs that an endpoint gives of the block.
 * @module
 */
import { type Hex, hexToBytes, keccak256 } from "viem";
import type { Log } from "./logs.ts";

const BYTES = 256;
/** Addresses and topics whose bits are remembered: the same ones are in block after block. */
const REMEMBERED = 10_000;

/** Three places in the filter. */
type Bits = readonly [number, number, number];

const known = new Map<Hex, Bits>();

function bitsOf(value: Hex): Bits {
  const found = known.get(value);
  if (found !== undefined) return found;
  const hash = keccak256(value, "bytes");
  const place = (at: number) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 0x7ff;
  const bits: Bits = [place(0), place(2), place(4)];
  if (known.size >= REMEMBERED) known.clear();
  known.set(value, bits);
  return bits;
}

const maskOf = (bit: number) => 1 << (bit % 8);
const byteOf = (bit: number) => BYTES - 1 - Math.floor(bit / 8);

/** The filter of these logs. */
export function bloomOf(logs: readonly { address: Hex; raw: { topics: readonly Hex[] } }[]): Uint8Array {
  const bloom = new Uint8Array(BYTES);
  for (const { address, raw } of logs) {
    for (const value of [address, ...raw.topics])
      for (const bit of bitsOf(value)) bloom[byteOf(bit)] = (bloom[byteOf(bit)] ?? 0) | maskOf(bit);
  }
  return bloom;
}

/** Whether a block with this filter may have a log with one of these addresses or topics. */
export function mayHold(bloom: Hex, values: Iterable<Hex>): boolean {
  const bytes = hexToBytes(bloom);
  for (const value of values)
    if (bitsOf(value).every((bit) => ((bytes[byteOf(bit)] ?? 0) & maskOf(bit)) !== 0)) return true;
  return false;
}

/**
 * Why these cannot be all logs of the block; null where nothing shows it. The logs of a block are numbered without a gap, and its
 * filter has no bit but theirs: only a last log whose address and topics others have too can be left out unnoticed.
 * @param bloom of the block's header; null where it is not known
 */
export function omissionIn(logs: readonly Log[], bloom: Hex | null): string | null {
  const indexes = new Set(logs.map(({ logIndex }) => logIndex));
  for (let index = 0; index < indexes.size; index++)
    if (!indexes.has(index)) return `log ${index} is missing`;
  if (bloom === null) return null;
  const own = bloomOf(logs);
  const isMore = hexToBytes(bloom).some((byte, place) => (byte & ~(own[place] ?? 0)) !== 0);
  return isMore ? "the bloom filter of its header has more than the logs" : null;
}
