/** @module What a raise is made of, as compressed bytes: some raises in a block, which is unpacked to read one of them. */
import { deserialize, serialize } from "node:v8";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { LRUCache } from "lru-cache";
import { type Bytes, inMemory } from "../../../config/columns-file.ts";
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

/** @param size raises of a block @param known those of a snapshot, in one piece */
export function createBodies(size: number, known?: Omit<SavedBodies, "bytes"> & { bytes: Bytes }): Bodies {
  const knownEnds = known?.ends ?? new Float64Array();
  /** those that were added since */
  const blocks: Uint8Array[] = [];
  const compressedOf = (number: number): Uint8Array => {
    if (known === undefined || number >= knownEnds.length)
      return blocks[number - knownEnds.length] as Uint8Array;
    return known.bytes.read(
      number === 0 ? 0 : (knownEnds[number - 1] as number),
      knownEnds[number] as number,
    );
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
      let end = knownEnds.at(-1) ?? 0;
      const ends = new Float64Array(knownEnds.length + blocks.length);
      ends.set(knownEnds);
      for (const [index, block] of blocks.entries()) {
        end += block.byteLength;
        ends[knownEnds.length + index] = end;
      }
      return { bytes: [...(known ? [known.bytes] : []), ...blocks.map(inMemory)], ends, layouts };
    },
    add(raises) {
      const parts = raises.map(bytesOf);
      const ends = Buffer.alloc(OFFSET * parts.length);
      let end = 0;
      for (const [slot, part] of parts.entries()) {
        end += part.length;
        ends.writeUInt32LE(end, OFFSET * slot);
      }
      // A pooled buffer would keep what it shares its memory with.
      blocks.push(Uint8Array.from(deflateRawSync(Buffer.concat([ends, ...parts]), DEFLATE)));
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
