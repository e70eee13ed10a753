/** @module The rows of raises as compressed bytes: some raises in a block, which is unpacked to read one of them. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { LRUCache } from "lru-cache";
import { type Bytes, type GrowingBytes, inMemory } from "../../../config/bytes.ts";
import { createRowCodec } from "../../../config/row-codec.ts";
import type { ListingRow, OfferRow, RepaymentRow, TradeRow } from "../../../src/fold/state.ts";
import type { Flow } from "../flows.ts";

/** The rows of a raise whose events are all in the tables. */
export type Kept = {
  row: ListingRow;
  repayments: readonly RepaymentRow[];
  offers: readonly OfferRow[];
  trades: readonly TradeRow[];
  flows: readonly Flow[];
};

/** Zstandard packs closer, but takes longer to unpack blocks this small. With little memory it begins faster, and packs as close. */
const DEFLATE = { level: 1, memLevel: 5, windowBits: 13, chunkSize: 4_096 };
const OFFSET = 4;
/** Blocks that are kept unpacked: lists read neighbours. Some 5 kB each. */
const MOST_UNPACKED = 64;

export type Bodies = {
  /** Adds a block. */
  add(raises: readonly Kept[]): void;
  /** @param index of a raise, by the order in which they were added in whole blocks */
  read(index: number): Kept;
  /** The same as it is kept. */
  bytes(index: number): Buffer;
  save(): SavedBodies;
};

/** For a snapshot: the blocks one after the other, with the end of each. */
export type SavedBodies = {
  bytes: readonly Bytes[];
  ends: Float64Array;
  layouts: Layouts;
};

/** The columns of each kind of row, in the order in which they are written. */
type Layouts = { readonly [Name in keyof Kept]: readonly string[] };

/** The lists of a raise's rows, in the order in which they follow its own. */
const LISTS = ["repayments", "offers", "trades", "flows"] as const;

/**
 * @param size raises of a block
 * @param known those of a snapshot, in one piece
 * @param room for those that are added, as far as it takes them; the others are in memory
 */
export function createBodies(
  size: number,
  known?: Omit<SavedBodies, "bytes"> & { bytes: Bytes },
  room: GrowingBytes | null = null,
): Bodies {
  const added: number[] = [];
  const stored: { bytes: Bytes; ends: ArrayLike<number> }[] = [];
  if (known !== undefined) stored.push(known);
  if (room !== null) stored.push({ bytes: room, ends: added });
  /** those after the stored ones */
  const blocks: Uint8Array[] = [];
  const compressedOf = (number: number): Uint8Array => {
    let rest = number;
    for (const { bytes, ends } of stored) {
      if (rest < ends.length)
        return bytes.read(rest === 0 ? 0 : (ends[rest - 1] as number), ends[rest] as number);
      rest -= ends.length;
    }
    return blocks[rest] as Uint8Array;
  };
  // `serialize` of V8 holds what it has read until the next full collection.
  const codecOf = <Row extends object>(name: keyof Kept) =>
    createRowCodec<Row>({ names: known?.layouts[name], mostKnown: 0 });
  const codecs = {
    row: codecOf<ListingRow>("row"),
    repayments: codecOf<RepaymentRow>("repayments"),
    offers: codecOf<OfferRow>("offers"),
    trades: codecOf<TradeRow>("trades"),
    flows: codecOf<Flow>("flows"),
  };
  /** the block that is being written, and its bytes so far */
  let [raw, filled] = [Buffer.alloc(4_096), 0];
  const put = (bytes: Uint8Array) => {
    if (filled + bytes.length > raw.length) raw = Buffer.concat([raw], 2 * (filled + bytes.length));
    raw.set(bytes, filled);
    filled += bytes.length;
  };
  const counts = Buffer.alloc(OFFSET * LISTS.length);
  const write = (kept: Kept) => {
    for (const [at, name] of LISTS.entries()) counts.writeUInt32LE(kept[name].length, OFFSET * at);
    put(counts);
    put(codecs.row.pack(kept.row));
    for (const name of LISTS) for (const row of kept[name]) put(codecs[name].pack(row as never));
  };

  const unpacked = new LRUCache<number, Buffer>({ max: MOST_UNPACKED });
  const blockOf = (number: number): Buffer => {
    const known = unpacked.get(number);
    if (known !== undefined) return known;
    const block = inflateRawSync(compressedOf(number));
    unpacked.set(number, block);
    return block;
  };

  const bytes = (index: number): Buffer => {
    const block = blockOf(Math.floor(index / size));
    const slot = index % size;
    const start = OFFSET * size + (slot === 0 ? 0 : block.readUInt32LE(OFFSET * (slot - 1)));
    return block.subarray(start, OFFSET * size + block.readUInt32LE(OFFSET * slot));
  };

  const layouts = () =>
    Object.fromEntries(Object.entries(codecs).map(([name, { columns }]) => [name, columns()])) as Layouts;

  return {
    save() {
      // Later additions are not part of it.
      const parts = stored.map(({ bytes: { length, read } }) => ({ length, read }));
      let end = 0;
      const ends: number[] = [];
      for (const { bytes, ends: own } of stored) {
        for (let index = 0; index < own.length; index++) ends.push(end + (own[index] as number));
        end += bytes.length;
      }
      for (const { byteLength } of blocks) {
        end += byteLength;
        ends.push(end);
      }
      return {
        bytes: [...parts, ...blocks.map(inMemory)],
        ends: Float64Array.from(ends),
        layouts: layouts(),
      };
    },
    add(raises) {
      filled = OFFSET * raises.length;
      for (const [slot, raise] of raises.entries()) {
        write(raise);
        raw.writeUInt32LE(filled - OFFSET * raises.length, OFFSET * slot);
      }
      const block = deflateRawSync(raw.subarray(0, filled), DEFLATE);
      if (blocks.length === 0 && room?.append(block)) added.push(room.length);
      // A pooled buffer would keep what it shares its memory with.
      else blocks.push(Uint8Array.from(block));
    },
    bytes,
    read(index) {
      const own = bytes(index);
      const row = codecs.row.unpack(own, OFFSET * LISTS.length);
      let at = codecs.row.end();
      const rowsOf = <Row>(name: (typeof LISTS)[number]): Row[] => {
        const { unpack, end } = codecs[name];
        return Array.from({ length: own.readUInt32LE(OFFSET * LISTS.indexOf(name)) }, () => {
          const found = unpack(own, at);
          at = end();
          return found as Row;
        });
      };
      return {
        row,
        repayments: rowsOf<RepaymentRow>("repayments"),
        offers: rowsOf<OfferRow>("offers"),
        trades: rowsOf<TradeRow>("trades"),
        flows: rowsOf<Flow>("flows"),
      };
    },
  };
}
