/**
 * One follower: final rows from the tables, page by page, then pending rows, then the journal that all followers share. Each piece
 * is made once the previous one has been read, so nothing piles up for a slow reader.
 * @module
 */
import { comparePositions, type EventPosition, placeInBlock } from "../../../src/fold/event-id.ts";
import type { Pair } from "../../ledger/event-filter.ts";
import { AFTER_ALL_LOGS, type OnwardQuery, type OnwardReader } from "../../ledger/read-onward.ts";
import { encodeRowId } from "../../ledger/row-id.ts";
import { headItem, type StreamState } from "./followed.ts";
import { finalFrame, HEARTBEAT, type RowFrame, reorgFrame, rowFrameOf } from "./frames.ts";
import { type Filter, isWanted, PIECE, type Withdrawal } from "./journal.ts";
import type { Follower } from "./members.ts";
import type { Tail } from "./tail.ts";

/** Rows read at a time, which is what a stalled follower holds in memory. */
const PAGE = 200;

export type Start = {
  /** the last row that the follower has; null before the first */
  after: EventPosition | null;
  /** initial `reorg` frame, if any */
  first: Uint8Array | null;
  /** lower bound for followers that start now: the last final block at that time, and the last row up to it */
  floor: { block: bigint; lastRow: string } | null;
};

export type FollowerParameters = {
  tail: Tail;
  member: Follower;
  /** the place in the journal from which withdrawals concern the follower */
  since: number;
  /** resolves at the next change after the call */
  changed: () => Promise<void>;
  readPage: OnwardReader["page"];
  filter: Filter;
  pair: Pair | null;
  exposeAccounts: boolean;
};

/** The pieces of a stream. They end when the follower has to reconnect. */
export async function* follow(
  { after, first, floor }: Start,
  { tail, member, since, changed, readPage, filter, pair, exposeAccounts }: FollowerParameters,
): AsyncGenerator<Uint8Array, void> {
  let place = after;
  let heard = since;
  if (first !== null) yield first;
  for (;;) {
    for (;;) {
      const followed = tail.current();
      if (followed === null || member.ended) return;
      if (place !== null && comparePositions(place, endOf(followed.base)) >= 0) break;
      const query: OnwardQuery = {
        ...{ after: place, until: followed.base, limit: PAGE },
        ...{ pair, kinds: filter.kinds },
      };
      const reading = readPage(query);
      // The read may fail after this follower has left.
      reading.catch(() => {});
      for (let isRead = false; !isRead; ) {
        isRead = await Promise.race([reading.then(() => true), changed().then(() => false)]);
        if (member.ended) return;
        // The read may wait long in the queue.
        if (!isRead) yield HEARTBEAT;
      }
      const rows = await reading;
      const { market } = followed.snapshot;
      const entries = rows.flatMap((row) => rowFrameOf(row, market, exposeAccounts) ?? []);
      const wanted = entries.filter((entry) => isWanted(entry, filter));
      if (wanted.length === 0) yield HEARTBEAT;
      yield* inPieces(wanted, (entry) => entry.frame("final"));
      place = (rows.length === PAGE ? rows.at(-1) : undefined) ?? endOf(query.until);
    }

    // No await between these lines: the place in the journal must match the state.
    const followed = tail.current();
    if (followed === null) return;
    const missed = tail.journal.withdrawnSince(heard, filter);
    if (missed === null) return;
    let next = tail.journal.end();
    heard = next;
    const back = lowest(missed.map((withdrawal) => aboveFloor(withdrawal, floor)));
    if (back !== null && back.from <= place.blockNumber) {
      yield back.bytes;
      place = endOf(back.from - 1n);
      continue;
    }
    // Rows that arrive meanwhile are in the journal.
    yield* inPieces(pendingAfter(place, followed, filter), (entry) => entry.frame("pending"));
    yield finalAndHead(followed, filter);

    for (;;) {
      if (member.ended) return;
      const taken = tail.journal.take(next, filter);
      if (taken === null) return;
      const isEnd = taken.next === next;
      next = taken.next;
      heard = next;
      if (taken.bytes.length > 0) yield taken.bytes;
      if (taken.resend !== null) {
        const back = aboveFloor(taken.resend, floor);
        yield back.bytes;
        place = endOf(back.from - 1n);
        break;
      }
      if (isEnd) await changed();
    }
  }
}

type Back = Pick<Withdrawal, "from" | "bytes">;

/** Clamps a resend to the follower's lower bound. Reorgs are always above it. */
function aboveFloor(withdrawal: Back, floor: Start["floor"]): Back {
  if (floor === null || floor.block < withdrawal.from) return withdrawal;
  const from = floor.block + 1n;
  return { from, bytes: reorgFrame(from, floor.lastRow) };
}

function lowest(withdrawals: readonly Back[]): Back | null {
  return withdrawals.toSorted((one, other) => (one.from < other.from ? -1 : 1))[0] ?? null;
}

function pendingAfter(place: EventPosition, { blocks }: StreamState, filter: Filter): RowFrame[] {
  if (filter.finalOnly) return [];
  return blocks
    .flatMap(({ entries }) => entries)
    .filter((entry) => comparePositions(entry, place) > 0 && isWanted(entry, filter));
}

function finalAndHead(followed: StreamState, { finalOnly }: Filter): Uint8Array {
  const { bytes, ofFinal } = headItem(followed);
  return Buffer.concat([finalFrame(followed.base, followed.root), finalOnly ? ofFinal : bytes]);
}

/** Frames joined into pieces, each encoded on demand. */
function* inPieces(
  entries: readonly RowFrame[],
  frameOf: (entry: RowFrame) => Uint8Array,
): Generator<Uint8Array> {
  let frames: Uint8Array[] = [];
  let size = 0;
  for (const entry of entries) {
    const frame = frameOf(entry);
    frames.push(frame);
    size += frame.length;
    if (size < PIECE) continue;
    yield Buffer.concat(frames);
    frames = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(frames);
}

function endOf(block: bigint): EventPosition {
  return { blockNumber: block, logIndex: AFTER_ALL_LOGS };
}

/** The position of a pending row; null when it is not among them. */
export function pendingPlace(
  { blocks }: StreamState,
  id: EventPosition & { hash: string },
): EventPosition | null {
  const block = blocks.find(({ number }) => number === id.blockNumber);
  const row = block?.rows.find((one) => placeInBlock(one) === placeInBlock(id));
  return block !== undefined && row !== undefined && encodeRowId(row, block.hash) === encodeRowId(id, id.hash)
    ? row
    : null;
}
