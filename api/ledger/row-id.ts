/**
 * Ids of ledger rows: `<block>-<log index>-<8 hex digits of the block's hash>`, which tell rows apart after a reorg. The later
 * events of one log have `<log index>.<part>`.
 * @module
 */
import {
  type EventPosition,
  PLACE_PATTERN,
  placeInBlock,
  positionOf,
  toPosition,
} from "../../src/fold/event-id.ts";
import type { Checkpoint } from "../database/checkpoint.ts";

/** The id of the position before the first row; it needs no lookup. */
export const BEFORE_ALL = "0";
/** The number of a hash's digits in an id. */
const DIGITS = 8;
const ROW_ID = new RegExp(`^(0|[1-9]\\d{0,19})-${PLACE_PATTERN}-([0-9a-f]{${DIGITS}})$`);

export type RowId = EventPosition & { hash: string };

/** @param blockHash with `0x`, or its first digits without */
export function encodeRowId(position: EventPosition, blockHash: string): string {
  return `${position.blockNumber}-${placeInBlock(position)}-${digitsOf(blockHash)}`;
}

/** Null if malformed. `hash` is without 0x. */
export function decodeRowId(text: string): RowId | typeof BEFORE_ALL | null {
  if (text === BEFORE_ALL) return BEFORE_ALL;
  const [, blockNumber, logIndex, part, hash] = ROW_ID.exec(text) ?? [];
  if (blockNumber === undefined || logIndex === undefined || hash === undefined) return null;
  return { ...toPosition(blockNumber, logIndex, part), hash };
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
