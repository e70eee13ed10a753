/**
 * One follower: first what is final from the tables, page by page, then what is not, and from then on whatever everybody is told.
 * It is asked for each piece when the one before has been read, so nothing piles up for a slow reader.
 * @module
 */
import type { EventPosition, Pair } from "../../ledger/event-filter.ts";
import { AFTER_ALL_LOGS, type OnwardQuery, type OnwardReader } from "../../ledger/read-onward.ts";
import { comparePositions, encodeRowId } from "../../ledger/row-id.ts";
import { type Followed, headItem } from "./followed.ts";
import { entryOf, finalFrame, HEARTBEAT, reorgFrame } from "./frames.ts";
import { type Filter, isWanted, type Taken } from "./journal.ts";
import type { Member, Tail } from "./tail.ts";

/** Rows that are read at a time. */
const PAGE = 500;

export type Start = {
  /** the last row that the follower has; null before the first */
  after: EventPosition | null;
  /** what is said first: that rows were taken back */
  first: Uint8Array | null;
  /** for who wants no row from before: the last one that they do not want */
  floor: { block: bigint; lastRow: string } | null;
};

export type FollowerParameters = {
  tail: Tail;
  member: Member;
  /** the place in the journal from which on the follower has to hear of what is sent again */
  since: number;
  /** when the caller has not waited for the next change, it is there at once */
  changed: () => Promise<void>;
  readPage: OnwardReader["page"];
  filter: Filter;
  pair: Pair | null;
  exposeAccounts: boolean;
};

/** The pieces of a stream. They end where the follower has to come back. */
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
      const rows = await readPage(query);
      if (member.ended) return;
      const { market } = followed.snapshot;
      const entries = rows.flatMap((row) => entryOf(row, market, exposeAccounts) ?? []);
      const frames = entries.filter((entry) => isWanted(entry, filter)).map((entry) => entry.frame("final"));
      yield frames.length > 0 ? Buffer.concat(frames) : HEARTBEAT;
      place = (rows.length === PAGE ? rows.at(-1) : undefined) ?? endOf(query.until);
    }

    // Nothing happens between these lines: the place in the journal is that of the state.
    const followed = tail.current();
    if (followed === null) return;
    const missed = tail.journal.againSince(heard, filter);
    if (missed === undefined) return;
    let next = tail.journal.end();
    heard = next;
    if (missed !== null && missed.from <= place.blockNumber) {
      const back = aboveFloor(missed, floor);
      yield back.bytes;
      place = endOf(back.from - 1n);
      continue;
    }
    yield Buffer.concat(whereItStands(followed, place, filter));

    for (;;) {
      if (member.ended) return;
      const taken = tail.journal.take(next, filter);
      if (taken === null) return;
      const isEnd = taken.next === next;
      next = taken.next;
      heard = next;
      if (taken.bytes.length > 0) yield taken.bytes;
      if (taken.again !== null) {
        const back = aboveFloor(taken.again, floor);
        yield back.bytes;
        place = endOf(back.from - 1n);
        break;
      }
      if (isEnd) await changed();
    }
  }
}

/** Where rows are sent again, to who wants none from before their floor. */
function aboveFloor(again: NonNullable<Taken["again"]>, floor: Start["floor"]): NonNullable<Taken["again"]> {
  if (floor === null || floor.block < again.from) return again;
  const from = floor.block + 1n;
  return { from, bytes: reorgFrame(from, floor.lastRow) };
}

/** The rows that are not final yet, up to where everything is final, and the head. */
function whereItStands(followed: Followed, place: EventPosition, filter: Filter): Uint8Array[] {
  const rows = filter.finalOnly
    ? []
    : followed.blocks
        .flatMap(({ entries }) => entries)
        .filter((entry) => comparePositions(entry, place) > 0 && isWanted(entry, filter))
        .map((entry) => entry.frame("pending"));
  const { bytes, ofFinal } = headItem(followed);
  return [...rows, finalFrame(followed.base), filter.finalOnly ? ofFinal : bytes];
}

function endOf(block: bigint): EventPosition {
  return { blockNumber: block, logIndex: AFTER_ALL_LOGS };
}

/** Where a row stands among those that are not final; null where it is none of them. */
export function pendingPlace(
  { blocks }: Followed,
  id: EventPosition & { hash: string },
): EventPosition | null {
  const block = blocks.find(({ number }) => number === id.blockNumber);
  const row = block?.rows.find(({ logIndex }) => logIndex === id.logIndex);
  return block !== undefined && row !== undefined && encodeRowId(row, block.hash) === encodeRowId(id, id.hash)
    ? row
    : null;
}
