/** @module The listings of the book by their keys, 26 bytes each: of a key's digits only the first are kept. */
import type { Hex } from "viem";
import { createColumns } from "../market/archive/columns.ts";
import type { Pair } from "../registry/schema.ts";
import { listingKey } from "./book-leaves.ts";

export type BookPairs = {
  add(key: string, pair: Pair): void;
  /** The pair with this key; undefined if it was not added. */
  of(key: string): Pair | undefined;
};

/** Digits of a key that are kept: 32 bits. Keys are hashes, so that these are spread evenly. */
const DIGITS = 8;
/** At most this share of the slots is taken. */
const MOST_TAKEN = 2 / 3;
/** In the column of an id that has more than 64 bits. */
const IN_MAP = 2n ** 64n - 1n;

export function createBookPairs(): BookPairs {
  const columns = createColumns({ start: "count", escrow: "count", id: "wide" });
  const escrows: string[] = [];
  const indexOfEscrow = new Map<string, number>();
  const largeIds = new Map<number, bigint>();
  let count = 0;
  /** rows + 1, so that 0 is a free slot */
  let slots = new Uint32Array(1_024);

  const pairAt = (row: number): Pair => {
    const id = columns.at.id[row] as bigint;
    return {
      escrowAddress: escrows[columns.at.escrow[row] as number] as Hex,
      onchainId: id === IN_MAP ? (largeIds.get(row) ?? id) : id,
    };
  };
  /** The slot at which the key is, or would be. */
  const slotOf = (key: string): number => {
    const start = startOf(key);
    for (let slot = start % slots.length; ; slot = (slot + 1) % slots.length) {
      const row = (slots[slot] as number) - 1;
      if (row === -1 || (columns.at.start[row] === start && listingKey(pairAt(row)) === key)) return slot;
    }
  };
  const grow = () => {
    slots = new Uint32Array(slots.length * 2);
    for (let row = 0; row < count; row += 1) {
      let slot = (columns.at.start[row] as number) % slots.length;
      while (slots[slot] !== 0) slot = (slot + 1) % slots.length;
      slots[slot] = row + 1;
    }
  };
  const escrowIndex = (address: string): number => {
    const known = indexOfEscrow.get(address);
    if (known !== undefined) return known;
    indexOfEscrow.set(address, escrows.length);
    return escrows.push(address) - 1;
  };

  return {
    add(key, { escrowAddress, onchainId: id }) {
      const slot = slotOf(key);
      if (slots[slot] !== 0) return;
      const row = count++;
      const isLarge = id >= IN_MAP;
      columns.grow(count);
      columns.at.start[row] = startOf(key);
      columns.at.escrow[row] = escrowIndex(escrowAddress);
      columns.at.id[row] = isLarge ? IN_MAP : id;
      if (isLarge) largeIds.set(row, id);
      slots[slot] = row + 1;
      if (count > MOST_TAKEN * slots.length) grow();
    },
    of(key) {
      const row = (slots[slotOf(key)] as number) - 1;
      return row === -1 ? undefined : pairAt(row);
    },
  };
}

function startOf(key: string): number {
  return Number.parseInt(key.slice(0, DIGITS), 16);
}
