/**
 * Ids of ledger rows: `<block>-<log index>-<8 hex digits of the block's hash>`, which tell rows apart after a reorg. The later
 * events of one log have `<log index>.<part>`. A follower may add the moment as of which it was sent the row (`momentOf`).
 * @module
 */
import {
  type EventPosition,
  PLACE_PATTERN,
  placeInBlock,
  positionOf,
  toPosition,
} from "../../src/fold/event-id.ts";
import type { Block } from "../../src/fold/events.ts";
import type { Checkpoint } from "../database/checkpoint.ts";

/** The id of the position before the first row; it needs no lookup. */
export const BEFORE_ALL = "0";
/** The number of a hash's digits in an id. */
const DIGITS = 8;
const NUMBER = "(0|[1-9]\\d{0,19})";
const MOMENT = `(?:@${NUMBER}\\.(0|[1-9]\\d{0,9}))?`;
const ROW_ID = new RegExp(`^${NUMBER}-${PLACE_PATTERN}-([0-9a-f]{${DIGITS}})${MOMENT}$`);
/** A moment tells nothing of the position before the first row. */
const BEFORE_ALL_ID = new RegExp(`^${BEFORE_ALL}${MOMENT}$`);

/** `asOf`: a block that was final when the row was sent. */
export type RowId = EventPosition & { hash: string; asOf?: Block };

/** @param blockHash with `0x`, or its first digits without */
export function encodeRowId(position: EventPosition, blockHash: string): string {
  return `${position.blockNumber}-${placeInBlock(position)}-${digitsOf(blockHash)}`;
}

/** To be added to the id of a row that is sent when this block is final. */
export function momentOf({ number, timestamp }: Block): string {
  return `@${number}.${timestamp}`;
}

/** Null if malformed. `hash` is without 0x. */
export function decodeRowId(text: string): RowId | typeof BEFORE_ALL | null {
  if (BEFORE_ALL_ID.test(text)) return BEFORE_ALL;
  const [, blockNumber, logIndex, part, hash, number, seconds] = ROW_ID.exec(text) ?? [];
  if (blockNumber === undefined || logIndex === undefined || hash === undefined) return null;
  const id = { ...toPosition(blockNumber, logIndex, part), hash };
  if (number === undefined || seconds === undefined) return id;
  return { ...id, asOf: { number: BigInt(number), timestamp: BigInt(seconds) } };
}

function digitsOf(blockHash: string): string {
  return blockHash.replace(/^0x/, "").slice(0, DIGITS);
}

export function lastRowOf({ revisions }: Pick<Checkpoint, "revisions">): string {
  const [last] = [revisions.listings, revisions.desk]
    .map((revision = "") => revision.split("/"))
    .toSorted(([, a = ""], [, b = ""]) => (a < b ? 1 : -1));
  const [, eventId, blockHash] = last ?? [];
  if (eventId === undefined || blockHash === undefined) return BEFORE_ALL;
  return encodeRowId(positionOf(eventId), blockHash);
}
