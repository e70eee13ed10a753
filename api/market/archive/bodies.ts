/** @module What a raise is made of, as compressed bytes: some raises in a block, which is unpacked to read one of them. */
import { deserialize, serialize } from "node:v8";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { LRUCache } from "lru-cache";
import { type Bytes, type GrowingBytes, inMemory } from "../../../config/bytes.ts";
import type { ListingRow, OfferRow, RepaymentRow, TradeRow } from "../../../src/fold/state.ts";
import type { Flow } from "../flows.ts";
import { createShapes, type Shape, type Values } from "./shapes.ts";

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
  layouts: readonly Shape[];
};

/** The rows of a raise: its own, its repayments, offers, trades and flows. */
type Packed = [Values, Values[], Values[], Values[], Values[]];

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
  const { pack, unpack, all: layouts } = createShapes(known?.layouts);
  const bytesOf = ({ row, repayments, offers, trades, flows }: Kept): Buffer => {
    const tables = [repayments.map(pack), offers.map(pack), trades.map(pack), flows.map(pack)] as const;
    return serialize([pack(row), ...tables] satisfies Packed);
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

  return {
    save() {
      // What is added later is not of it.
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
      return { bytes: [...parts, ...blocks.map(inMemory)], ends: Float64Array.from(ends), layouts };
    },
    add(raises) {
      const parts = raises.map(bytesOf);
      const ends = Buffer.alloc(OFFSET * parts.length);
      let end = 0;
      for (const [slot, part] of parts.entries()) {
        end += part.length;
        ends.writeUInt32LE(end, OFFSET * slot);
      }
      const block = deflateRawSync(Buffer.concat([ends, ...parts]), DEFLATE);
      if (blocks.length === 0 && room?.append(block)) added.push(room.length);
      // A pooled buffer would keep what it shares its memory with.
      else blocks.push(Uint8Array.from(block));
    },
    bytes,
    read(index) {
      const [row, repayments, offers, trades, flows]: Packed = deserialize(bytes(index));
      return {
        row: unpack(row) as Kept["row"],
        repayments: repayments.map(unpack) as RepaymentRow[],
        offers: offers.map(unpack) as OfferRow[],
        trades: trades.map(unpack) as TradeRow[],
        flows: flows.map(unpack) as Flow[],
      };
    },
  };
}
