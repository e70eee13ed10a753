/**
 * One follower: final rows from the tables, page by page, then pending rows; then the fan-out tells it what comes. Each piece is
 * made once the previous one has been read, so nothing piles up for a slow reader.
 * @module
 */
import type { Logger } from "../../../config/log.ts";
import {
  comparePositions,
  type EventPosition,
  endOfBlock,
  placeInBlock,
} from "../../../src/fold/event-id.ts";
import { type Channel, type ChannelEvents, type Piece, pieceOf } from "../../http/open-ended.ts";
import type { OnwardQuery, OnwardReader } from "../../ledger/read-onward.ts";
import { encodeRowId } from "../../ledger/row-id.ts";
import type { Pair } from "../../registry/schema.ts";
import type { Member } from "./fan-out.ts";
import { type Filter, isWanted, type SharedFilter } from "./filter.ts";
import { headItem, type StreamState } from "./followed.ts";
import { finalFrame, HEARTBEAT, momentFrame, type RowFrame, reorgFrame, rowFrameOf } from "./frames.ts";
import { PIECE, type Withdrawal } from "./journal.ts";
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
  filter: SharedFilter;
  pair: Pair | null;
  readPage: OnwardReader["page"];
  exposeAccounts: boolean;
  log: Logger;
  /** opens the channel to the client */
  open(events: ChannelEvents): Channel;
};

export type Follower = {
  readonly member: Member;
  /** Sends what there is from the start on, and then what comes. The member must have joined. */
  send(start: Start): Promise<void>;
};

/** A follower that has not joined yet. Once it is up to date it costs an object and the socket of its client. */
export function createFollower({ open, log, filter, ...reading }: FollowerParameters): Follower {
  const { tail } = reading;
  let floor: Start["floor"] = null;
  let wake = () => {};
  const member: Member = {
    filter,
    channel: open({
      ready() {
        tail.ready(member);
        wake();
      },
      gone() {
        member.ended = true;
        tail.remove(member);
        wake();
      },
    }),
    ...{ heard: 0, isBehind: false, toldAt: 0, ended: false },
    readAgain: (resend) => void send(startAgain(resend, floor)),
  };
  const { channel } = member;
  const readiness = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });

  const send = async (start: Start) => {
    floor = start.floor;
    const pieces = catchUp(start, member, reading);
    try {
      for (;;) {
        while (!channel.isReady() && !member.ended) await readiness();
        const { done, value } = await pieces.next();
        if (member.ended) return;
        if (done) return value ? tail.attach(member) : tail.end(member);
        channel.write(value);
      }
    } catch (error) {
      log.debug({ msg: "A stream was cut off", error });
      tail.end(member);
    }
  };
  return { member, send };
}

/**
 * The pieces up to the present; after the last one the member has heard everything up to its place in the journal. They end with
 * false when the follower has to reconnect.
 */
async function* catchUp(
  { after, first, floor }: Start,
  member: Member,
  {
    tail,
    readPage,
    pair,
    exposeAccounts,
  }: Pick<FollowerParameters, "tail" | "readPage" | "pair" | "exposeAccounts">,
): AsyncGenerator<Piece, boolean> {
  const { filter } = member;
  let place = after;
  if (first !== null) yield pieceOf([first]);
  for (;;) {
    // No await between these lines: the place in the journal must match the state, whose market a page is read for.
    const followed = tail.current();
    if (followed === null || member.ended) return false;
    const missed = tail.journal.withdrawnSince(member.heard, filter);
    if (missed === null) return false;
    member.heard = tail.journal.end();
    const back = lowest(missed.map((withdrawal) => aboveFloor(withdrawal, floor)));
    if (back !== null && place !== null && back.from <= place.blockNumber) {
      yield pieceOf([back.bytes]);
      place = endOfBlock(back.from - 1n);
      continue;
    }
    // The following pages lack rows of that raise: the follower must look at the visible raises again, as after each connection.
    if (filter.finalOnly && missed.some((one) => one.kind === "resend" && one.hides)) return false;
    if (place !== null && comparePositions(place, endOfBlock(followed.base)) >= 0) {
      const isEarly = filter.finalOnly && floor === null && place.blockNumber > followed.base;
      if (isEarly) {
        // It has the row from a server with a later final block: once final here, the rows up to that one would come again.
        await tail.nextBeat();
        yield HEARTBEAT;
        continue;
      }
      // Rows that arrive meanwhile are in the journal.
      yield* inPieces(pendingAfter(place, followed, filter), (entry) => entry.frame("pending"));
      yield finalAndHead(followed, filter);
      return true;
    }
    const query: OnwardQuery = {
      ...{ after: place, until: followed.base, limit: PAGE },
      ...{ pair, kinds: filter.kinds },
    };
    const reading = readPage(query);
    // The read may fail after this follower has left.
    reading.catch(() => {});
    for (let isRead = false; !isRead; ) {
      isRead = await Promise.race([reading.then(() => true), tail.nextBeat().then(() => false)]);
      if (member.ended) return false;
      // The read may wait long in the queue.
      if (!isRead) yield HEARTBEAT;
    }
    const rows = await reading;
    const { market, finalized } = followed.snapshot;
    const entries = rows.flatMap((row) => rowFrameOf(row, market, exposeAccounts) ?? []);
    const wanted = entries.filter((entry) => isWanted(entry, filter));
    // Also a sign of life where nothing is wanted.
    yield pieceOf([momentFrame(finalized)]);
    yield* inPieces(wanted, (entry) => entry.frame("final"));
    place = (rows.length === PAGE ? rows.at(-1) : undefined) ?? endOfBlock(query.until);
  }
}

/** The place from which a follower continues after a resend. */
function startAgain(resend: Withdrawal, floor: Start["floor"]): Start {
  const { from, bytes } = aboveFloor(resend, floor);
  return { after: endOfBlock(from - 1n), first: bytes, floor };
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

function finalAndHead(followed: StreamState, { finalOnly }: Filter): Piece {
  const { bytes, ofFinal } = headItem(followed);
  return pieceOf([finalFrame(followed.base, followed.root), finalOnly ? ofFinal : bytes]);
}

/** Frames joined into pieces, each encoded on demand. */
function* inPieces(entries: readonly RowFrame[], frameOf: (entry: RowFrame) => Uint8Array): Generator<Piece> {
  let frames: Uint8Array[] = [];
  let size = 0;
  for (const entry of entries) {
    const frame = frameOf(entry);
    frames.push(frame);
    size += frame.length;
    if (size < PIECE) continue;
    yield pieceOf(frames);
    frames = [];
    size = 0;
  }
  if (size > 0) yield pieceOf(frames);
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
