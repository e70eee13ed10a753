/**
 * What followers are told, in one sequence that they all read, each at a place of its own. It has an end: who reads so slowly that
 * theirs has been forgotten is cut off, and comes back with the id of their last row.
 * @module
 */
import type { EventKind } from "../../../src/fold/vocabulary.ts";
import type { Item } from "./followed.ts";
import type { Entry } from "./frames.ts";

export type Filter = {
  /** `pairKey` of a listing */
  pair: string | null;
  originator: string | null;
  kinds: ReadonlySet<EventKind> | null;
  /** rows when they are final, and no earlier */
  finalOnly: boolean;
};

/** Bytes that are kept for slow readers, and those after which a piece for one of them ends. */
const MOST_BYTES = 8 * 1024 * 1024;
export const PIECE = 64 * 1024;

/** Rows from a block on that are withdrawn: as the chain has left them, or as they are sent `again`. */
export type Withdrawal = Extract<Item, { kind: "reorg" | "again" }>;

type Taken = {
  bytes: Uint8Array;
  /** where to go on */
  next: number;
  /** where rows that the reader may have are sent again; nothing after it was taken, and it is not in `bytes` */
  again: (Withdrawal & { kind: "again" }) | null;
};

export type Journal = {
  /** The place after the last item. */
  end(): number;
  add(items: readonly Item[]): void;
  /** The next piece, empty at the end; null where the place has been forgotten. */
  take(place: number, filter: Filter): Taken | null;
  /** What was withdrawn since a place; null where the place has been forgotten. */
  withdrawnSince(place: number, filter: Filter): readonly Withdrawal[] | null;
};

export function createJournal(mostBytes = MOST_BYTES): Journal {
  let items: Item[] = [];
  let first = 0;
  let held = 0;
  // Most readers have no filter and are at the same place.
  let last: { place: number; end: number; finalOnly: boolean; taken: Taken } | null = null;

  const end = () => first + items.length;
  const collect = (place: number, filter: Filter): Taken => {
    const pieces: Uint8Array[] = [];
    let size = 0;
    let next = place;
    for (const item of items.slice(place - first)) {
      if (size >= PIECE) break;
      next += 1;
      const bytes = bytesFor(item, filter);
      if (bytes === null) continue;
      if (item.kind === "again") return { bytes: Buffer.concat(pieces), next, again: item };
      pieces.push(bytes);
      size += bytes.length;
    }
    return { bytes: Buffer.concat(pieces), next, again: null };
  };

  return {
    end,
    add(added) {
      items.push(...added);
      held += sum(added);
      let forgotten = 0;
      while (held > mostBytes) {
        held -= items[forgotten]?.bytes.length ?? held;
        forgotten += 1;
      }
      if (forgotten > 0) {
        items = items.slice(forgotten);
        first += forgotten;
      }
    },
    withdrawnSince(place, filter) {
      if (place < first) return null;
      return items
        .slice(place - first)
        .filter((item) => item.kind === "reorg" || item.kind === "again")
        .filter((item) => bytesFor(item, filter) !== null);
    },
    take(place, filter) {
      if (place < first) return null;
      if (filter.pair !== null || filter.originator !== null || filter.kinds !== null)
        return collect(place, filter);
      const { finalOnly } = filter;
      if (last === null || last.place !== place || last.end !== end() || last.finalOnly !== finalOnly)
        last = { place, end: end(), finalOnly, taken: collect(place, filter) };
      return last.taken;
    },
  };
}

/** Whether a row is among those that a reader wants. */
export function isWanted({ pair, originator, kind }: Entry, filter: Filter): boolean {
  return (
    (filter.pair === null || filter.pair === pair) &&
    (filter.originator === null || filter.originator === originator) &&
    (filter.kinds === null || filter.kinds.has(kind))
  );
}

function bytesFor(item: Item, filter: Filter): Uint8Array | null {
  switch (item.kind) {
    case "ledger":
    case "settled":
      return filter.finalOnly === (item.kind === "settled") && isWanted(item.entry, filter)
        ? item.bytes
        : null;
    case "reorg":
      return filter.finalOnly ? null : item.bytes;
    case "head":
      return filter.finalOnly ? item.ofFinal : item.bytes;
    case "again":
      if (filter.finalOnly && !item.isFinal) return null;
      return filter.pair === null || item.pairs.has(filter.pair) ? item.bytes : null;
    default:
      return item.bytes;
  }
}

function sum(items: readonly Item[]): number {
  return items.reduce((total, { bytes }) => total + bytes.length, 0);
}
