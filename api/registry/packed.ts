/**
 * Entries of a registry as bytes: their canonical JSON in few large buffers, and a few numbers for each. An entry of a large registry
 * then costs its text and some 200 bytes, where objects and maps of them took 2 kB. Entries are read when they are asked for.
 * @module
 */
import { type Bytes, type GrowingBytes, inMemory } from "../../config/bytes.ts";
import { DIGEST, growingDigests, growingNumbers } from "./growing.ts";
import { createTextIndex, type KnownSlots, type TextIndex } from "./text-index.ts";

/** Bytes of a buffer. */
const BLOCK = 1024 * 1024;
/** Buffers are copied together once less than this share of them is in use. */
const LEAST_USED = 1 / 2;
/** Bytes that are worth a file, which stays open and has a buffer of a megabyte. */
const LEAST_MOVED = 8 * BLOCK;

/** The kept part of an entry, without its digests. */
export type EntryText = {
  readonly publicId: string;
  /** as `pairKey` has it; empty for an originator */
  readonly pair: string;
  /** the public id of a listing's originator; empty for an originator */
  readonly owner: string;
  /** RFC 8785 canonical JSON, as it was written */
  readonly canonical: string;
  /** whether it names a picture */
  readonly hasPicture: boolean;
};

export type Packed = {
  readonly length: number;
  readonly ids: TextIndex;
  readonly pairs: TextIndex;
  /** The entries that name a picture. */
  readonly pictures: ReadonlySet<number>;
  publicIdOf(index: number): string;
  pairOf(index: number): string;
  ownerOf(index: number): string;
  canonicalOf(index: number): Buffer;
  /** The digest by which the source recognises the entry. */
  keyOf(index: number): Uint8Array;
  /** The sha256 of its canonical JSON; null where none are kept. */
  sumOf(index: number): Uint8Array | null;
  /** The entry with this digest; -1 without one. @param expected where it probably is, which needs no index */
  withKey(digest: Uint8Array, expected?: number): number;
  /** The place of the entry, its keys first. */
  placeOf(index: number): { readonly bytes: Bytes; readonly start: number; readonly end: number };
  keySizesOf(index: number): number;
  /** Moves buffers from memory to a file, one at each step, as far as the file takes them; none while they are small together. */
  moveTo(file: () => GrowingBytes): Iterable<void>;
  /** Everything, as it is in memory. */
  save(): SavedPacked;
};

/** Packed entries for a file. */
export type SavedPacked = {
  readonly blocks: readonly Bytes[];
  readonly numbers: Columns;
  readonly keys: Uint8Array;
  readonly sums: Uint8Array | null;
  readonly pictures: Uint32Array;
  /** null: they are made again */
  readonly indexes: { readonly ids: KnownSlots; readonly pairs: KnownSlots } | null;
};

/** An entry that is packed already, to be taken over as it is. */
export type PackedEntry = { readonly from: Packed; readonly index: number };

export type PackerOptions = {
  /** Whether digests of the canonical JSON are kept as well. */
  readonly keepsSums: boolean;
  /** Entries from before, most of which are taken over. */
  readonly before: Packed | null;
};

export function createPacker({ keepsSums, before }: PackerOptions) {
  const blocks: Bytes[] = [];
  const blockNumbers = new Map<Bytes, number>();
  /** the last block of its own, until it is full */
  let open = Buffer.alloc(0);
  let openNumber = 0;
  let filled = 0;
  let used = 0;
  /** By entry: its block, its place there, the bytes of its three keys in one number, and the bytes of its JSON. */
  const inBlock = growingNumbers();
  const places = growingNumbers();
  const keySizes = growingNumbers();
  const sizes = growingNumbers();
  const pictures = growingNumbers();
  const keys = growingDigests();
  const sums = growingDigests();

  const numberOf = (block: Bytes): number => {
    const known = blockNumbers.get(block);
    if (known !== undefined) return known;
    blockNumbers.set(block, blocks.length);
    return blocks.push(block) - 1;
  };

  const close = () => {
    if (filled === 0) return;
    // The last one is as large as what is in it.
    blocks[openNumber] = inMemory(filled < open.length ? Buffer.from(open.subarray(0, filled)) : open);
    open = Buffer.alloc(0);
    filled = 0;
  };

  const place = (text: string, keySize: number, size: number) => {
    const length = bytesOf(keySize) + size;
    if (filled + length > open.length) {
      close();
      open = Buffer.allocUnsafeSlow(Math.max(BLOCK, length));
      openNumber = blocks.push(inMemory(open)) - 1;
    }
    inBlock.push(openNumber);
    places.push(filled);
    keySizes.push(keySize);
    sizes.push(size);
    filled += open.write(text, filled);
    used += length;
  };

  const noteOthers = (key: Uint8Array, sum: Uint8Array | null, hasPicture: boolean) => {
    keys.push(key);
    if (keepsSums) sums.push(sum ?? new Uint8Array(DIGEST));
    if (hasPicture) pictures.push(inBlock.length() - 1);
  };

  return {
    length: inBlock.length,
    /** @param key a digest by which the source recognises it; `sum` the sha256 of its canonical JSON */
    add(
      { publicId, pair, owner, canonical, hasPicture }: EntryText,
      key: Uint8Array,
      sum: Uint8Array | null,
    ) {
      const size = Buffer.byteLength(canonical);
      place(publicId + pair + owner + canonical, packSizes(publicId.length, pair.length, owner.length), size);
      noteOthers(key, sum, hasPicture);
    },
    /** Takes over an entry without reading it. */
    take({ from, index }: PackedEntry) {
      const { bytes, start, end } = from.placeOf(index);
      inBlock.push(numberOf(bytes));
      places.push(start);
      const keySize = from.keySizesOf(index);
      keySizes.push(keySize);
      sizes.push(end - start - bytesOf(keySize));
      used += end - start;
      noteOthers(from.keyOf(index), from.sumOf(index), from.pictures.has(index));
    },
    finish() {
      close();
      const columns = {
        ...{ inBlock: inBlock.values(), places: places.values() },
        ...{ keySizes: keySizes.values(), sizes: sizes.values() },
      };
      const held = blocks.reduce((sum, { length }) => sum + length, 0);
      if (used < (held - BLOCK) * LEAST_USED) copyTogether(blocks, columns, used);
      const digests = { keys: keys.values(), sums: keepsSums ? sums.values() : null };
      return packed(blocks, columns, { ...digests, pictures: new Set(pictures.values()), before });
    },
  };
}

/** Each is at most 121 bytes long. */
function packSizes(publicId: number, pair: number, owner: number): number {
  return publicId | (pair << 8) | (owner << 16);
}

const bytesOf = (keySizes: number) =>
  (keySizes & 0xff) + ((keySizes >> 8) & 0xff) + ((keySizes >> 16) & 0xff);

type Columns = Record<"inBlock" | "places" | "keySizes" | "sizes", Uint32Array>;

/** Copies the entries into new buffers, so that what no entry is in any more is free. */
function copyTogether(blocks: Bytes[], { inBlock, places, keySizes, sizes }: Columns, used: number): void {
  const next: Bytes[] = [];
  let open = Buffer.alloc(0);
  let filled = 0;
  let left = used;
  for (const [index, number] of inBlock.entries()) {
    const size = bytesOf(keySizes[index] ?? 0) + (sizes[index] ?? 0);
    if (filled + size > open.length) {
      open = Buffer.allocUnsafeSlow(Math.max(Math.min(BLOCK, left), size));
      next.push(inMemory(open));
      filled = 0;
    }
    const start = places[index] ?? 0;
    blocks[number]?.read(start, start + size).copy(open, filled);
    inBlock[index] = next.length - 1;
    places[index] = filled;
    filled += size;
    left -= size;
  }
  blocks.splice(0, blocks.length, ...next);
}

type Others = {
  keys: Uint8Array;
  sums: Uint8Array | null;
  pictures: ReadonlySet<number>;
  before: Packed | null;
  indexes?: SavedPacked["indexes"];
};

/** The entries of an earlier process. */
export function restorePacked({ blocks, numbers, pictures, ...others }: SavedPacked): Packed {
  return packed([...blocks], numbers, { ...others, pictures: new Set(pictures), before: null });
}

function packed(
  blocks: Bytes[],
  numbers: Columns,
  { keys, sums, pictures, before, indexes = null }: Others,
): Packed {
  const { inBlock, places, keySizes, sizes } = numbers;
  const { length } = inBlock;
  const blockOf = (index: number) => blocks[inBlock[index] ?? 0] as Bytes;
  const keySizesOf = (index: number) => keySizes[index] ?? 0;
  const sizeOf = (index: number) => sizes[index] ?? 0;
  const placeOf = (index: number) => {
    const start = places[index] ?? 0;
    return { bytes: blockOf(index), start, end: start + bytesOf(keySizesOf(index)) + sizeOf(index) };
  };
  /** The one that was read last: an entry that was found by a key is read next. */
  const last = { index: -1, bytes: Buffer.alloc(0) };
  /** Its keys and its JSON. */
  const recordOf = (index: number): Buffer => {
    if (index === last.index) return last.bytes;
    const { bytes, start, end } = placeOf(index);
    Object.assign(last, { index, bytes: bytes.read(start, end) });
    return last.bytes;
  };
  /** The text of one of the three keys: 0 the public id, 1 the pair, 2 the owner. */
  const keyAt = (index: number, which: 0 | 1 | 2): string => {
    const all = keySizesOf(index);
    const start = bytesOf(all & (0xffffff >> (8 * (3 - which))));
    return recordOf(index).toString("latin1", start, start + ((all >> (8 * which)) & 0xff));
  };
  const publicIdOf = (index: number) => keyAt(index, 0);
  const pairOf = (index: number) => keyAt(index, 1);
  // No closure may hold the entries from before, or each version would keep all earlier ones.
  const same =
    before !== null && areNamedAlike({ length, placeOf, publicIdOf, pairOf }, before) ? before : null;
  const ids = createTextIndex(length, publicIdOf, same?.ids ?? indexes?.ids);
  const pairs = createTextIndex(length, pairOf, same?.pairs ?? indexes?.pairs);
  let known: TextIndex | null = null;
  const keyOf = (index: number) => keys.subarray(index * DIGEST, (index + 1) * DIGEST);
  const keyText = (index: number) => Buffer.from(keyOf(index)).toString("latin1");
  return {
    ...{ length, ids, pairs, placeOf, keySizesOf, keyOf, pictures, publicIdOf, pairOf },
    ownerOf: (index: number) => keyAt(index, 2),
    canonicalOf: (index: number) => recordOf(index).subarray(bytesOf(keySizesOf(index))),
    sumOf: (index: number) => sums?.subarray(index * DIGEST, (index + 1) * DIGEST) ?? null,
    withKey(digest: Uint8Array, expected = -1): number {
      if (expected >= 0 && expected < length && Buffer.compare(keyOf(expected), digest) === 0)
        return expected;
      known ??= createTextIndex(length, keyText);
      return known.find(Buffer.from(digest).toString("latin1"));
    },
    *moveTo(file) {
      // By number: a list of the buffers would keep all of them until the last one is moved.
      const kept = [...blocks.keys()].filter((number) => blocks[number]?.isInMemory);
      if (kept.reduce((sum, number) => sum + (blocks[number]?.length ?? 0), 0) < LEAST_MOVED) return;
      for (const number of kept) {
        const moved = appended(file(), blocks[number] as Bytes);
        if (moved === null) return;
        blocks[number] = moved;
        yield;
      }
    },
    save: () => ({
      ...{ blocks, numbers, keys, sums, pictures: Uint32Array.from(pictures) },
      indexes: { ids: slotsOf(ids), pairs: slotsOf(pairs) },
    }),
  };
}

function appended(file: GrowingBytes, { length, read }: Bytes): Bytes | null {
  const place = file.length;
  if (!file.append(read(0, length))) return null;
  return { length, read: (start, end) => file.read(place + start, place + end) };
}

const slotsOf = ({ size, slots }: TextIndex): KnownSlots => ({ size, slots });

type Named = Pick<Packed, "length" | "placeOf" | "publicIdOf" | "pairOf">;

/** Whether the entries have the same keys in the same order. */
function areNamedAlike(own: Named, other: Named): boolean {
  if (own.length !== other.length) return false;
  for (let index = 0; index < own.length; index++) {
    const [one, two] = [own.placeOf(index), other.placeOf(index)];
    if (one.bytes === two.bytes && one.start === two.start) continue;
    if (own.publicIdOf(index) !== other.publicIdOf(index) || own.pairOf(index) !== other.pairOf(index))
      return false;
  }
  return true;
}

/** Whether two entries have the same text. Those that were taken over are in the same place. */
export function isSameText(a: Packed, at: number, b: Packed, bAt: number): boolean {
  const [one, other] = [a.placeOf(at), b.placeOf(bAt)];
  if (one.bytes === other.bytes && one.start === other.start) return true;
  return a.canonicalOf(at).equals(b.canonicalOf(bAt));
}
