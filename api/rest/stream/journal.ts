/**
 * One sequence of items that all followers read, each at its own place. Its memory is bounded: a follower so slow that its place
 * was dropped is disconnected, and resumes with the id of its last row.
 * @module
 */
import type { EventKind } from "../../../src/fold/vocabulary.ts";
import type { Accepts } from "../../market/listings-filters.ts";
import type { Item } from "./followed.ts";
import type { RowFrame } from "./frames.ts";

export type Filter = {
  /** `pairKey` of a listing */
  pair: string | null;
  /** whether a listing matches the filters of `/v1/listings`; null without one */
  accepts: Accepts | null;
  kinds: ReadonlySet<EventKind> | null;
  /** rows only once they are final */
  finalOnly: boolean;
};

/** Bytes kept for slow readers, and the bytes after which a piece ends. */
const MOST_BYTES = 8 * 1024 * 1024;
export const PIECE = 64 * 1024;

/** Rows from a block on are withdrawn, by a reorg or for a resend. */
export type Withdrawal = Extract<Item, { kind: "reorg" | "resend" }>;

type Taken = {
  bytes: Uint8Array;
  /** where to continue */
  next: number;
  /** a resend of rows that the reader may have: it is not in `bytes`, and ends this piece */
  resend: (Withdrawal & { kind: "resend" }) | null;
};

export type Journal = {
  end(): number;
  add(items: readonly Item[]): void;
  /** The next piece, empty at the end; null when the place was dropped. */
  take(place: number, filter: Filter): Taken | null;
  /** Withdrawals since a place; null when the place was dropped. */
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
      if (item.kind === "resend") return { bytes: Buffer.concat(pieces), next, resend: item };
      pieces.push(bytes);
      size += bytes.length;
    }
    return { bytes: Buffer.concat(pieces), next, resend: null };
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
        .filter((item) => item.kind === "reorg" || item.kind === "resend")
        .filter((item) => bytesFor(item, filter) !== null);
    },
    take(place, filter) {
      if (place < first) return null;
      if (filter.pair !== null || filter.accepts !== null || filter.kinds !== null)
        return collect(place, filter);
      const { finalOnly } = filter;
      if (last === null || last.place !== place || last.end !== end() || last.finalOnly !== finalOnly)
        last = { place, end: end(), finalOnly, taken: collect(place, filter) };
      return last.taken;
    },
  };
}

/** A row is of a listing that matches after it, or matched before it: a follower hears of the event by which one leaves. */
export function isWanted({ pair, kind, states }: RowFrame, { accepts, ...filter }: Filter): boolean {
  return (
    (filter.pair === null || filter.pair === pair) &&
    (filter.kinds === null || filter.kinds.has(kind)) &&
    (accepts === null || states.some(accepts))
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
    case "resend":
      if (filter.finalOnly && !item.isFinal) return null;
      return filter.pair === null || item.pairs.has(filter.pair) ? item.bytes : null;
    default:
      return item.bytes;
  }
}

function sum(items: readonly Item[]): number {
  return items.reduce((total, { bytes }) => total + bytes.length, 0);
}
