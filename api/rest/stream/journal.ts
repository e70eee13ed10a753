/**
 * One sequence of items that all followers read, each at its own place. Its memory is bounded: a follower so slow that its place
 * was dropped is disconnected, and resumes with the id of its last row.
 * @module
 */
import { type Piece, pieceOf } from "../../http/open-ended.ts";
import { bytesFor, type Filter } from "./filter.ts";
import type { Item } from "./followed.ts";

/** Bytes kept for slow readers, and the bytes after which a piece ends. */
const MOST_BYTES = 8 * 1024 * 1024;
export const PIECE = 64 * 1024;

/** Rows from a block on are withdrawn, by a reorg or for a resend. */
export type Withdrawal = Extract<Item, { kind: "reorg" | "resend" }>;

export type Taken = {
  /** null when nothing is for the reader */
  piece: Piece | null;
  /** where to continue */
  next: number;
  /** a resend of rows that the reader may have: it is not in the piece, and ends it */
  resend: (Withdrawal & { kind: "resend" }) | null;
};

export type Journal = {
  end(): number;
  add(items: readonly Item[]): void;
  /** The items from a place on; null when it was dropped. */
  since(place: number): readonly Item[] | null;
  /** The next piece before `until`; null when the place was dropped. */
  take(place: number, until: number, filter: Filter): Taken | null;
  /** Withdrawals since a place; null when the place was dropped. */
  withdrawnSince(place: number, filter: Filter): readonly Withdrawal[] | null;
};

export function createJournal(mostBytes = MOST_BYTES): Journal {
  let items: Item[] = [];
  let first = 0;
  let held = 0;

  const since = (place: number, until?: number) =>
    place < first ? null : items.slice(place - first, until === undefined ? undefined : until - first);

  return {
    end: () => first + items.length,
    since: (place) => since(place),
    add(added) {
      for (const item of added) items.push(item);
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
      const found = since(place);
      if (found === null) return null;
      return found
        .filter((item) => item.kind === "reorg" || item.kind === "resend")
        .filter((item) => bytesFor(item, filter) !== null);
    },
    take(place, until, filter) {
      const found = since(place, until);
      if (found === null) return null;
      const parts: Uint8Array[] = [];
      let size = 0;
      let next = place;
      let resend: Taken["resend"] = null;
      for (const item of found) {
        if (size >= PIECE || resend !== null) break;
        next += 1;
        const bytes = bytesFor(item, filter);
        if (bytes === null) continue;
        if (item.kind === "resend") resend = item;
        else {
          parts.push(bytes);
          size += bytes.length;
        }
      }
      return { piece: size === 0 ? null : pieceOf(parts), next, resend };
    },
  };
}

function sum(items: readonly Item[]): number {
  return items.reduce((total, { bytes }) => total + bytes.length, 0);
}
