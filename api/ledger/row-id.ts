/** @module Ids of ledger rows: `<block>-<log index>-<8 hex digits of the block's hash>`, which tell rows apart after a reorg. */
import { blockOf, logIndexOf } from "../../src/fold/event-id.ts";
import type { Checkpoint } from "../database/checkpoint.ts";
import type { EventPosition } from "./event-filter.ts";

/** The id of the position before the first row; it needs no lookup. */
export const BEFORE_ALL = "0";
/** The number of a hash's digits in an id. */
const DIGITS = 8;
const ROW_ID = new RegExp(`^(0|[1-9]\\d{0,19})-(0|[1-9]\\d{0,8})-([0-9a-f]{${DIGITS}})$`);

export type RowId = EventPosition & { hash: string };

/** @param blockHash with `0x`, or its first digits without */
export function encodeRowId({ blockNumber, logIndex }: EventPosition, blockHash: string): string {
  return `${blockNumber}-${logIndex}-${digitsOf(blockHash)}`;
}

/** Null if malformed. `hash` is without 0x. */
export function decodeRowId(text: string): RowId | typeof BEFORE_ALL | null {
  if (text === BEFORE_ALL) return BEFORE_ALL;
  const [, blockNumber, logIndex, hash] = ROW_ID.exec(text) ?? [];
  if (blockNumber === undefined || logIndex === undefined || hash === undefined) return null;
  return { blockNumber: BigInt(blockNumber), logIndex: Number(logIndex), hash };
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
  return encodeRowId({ blockNumber: blockOf(eventId).number, logIndex: logIndexOf(eventId) }, blockHash);
}

/** Negative, 0 or positive when `a` is before, at or after `b` on the chain. */
export function comparePositions(a: EventPosition, b: EventPosition): number {
  return a.blockNumber === b.blockNumber ? a.logIndex - b.logIndex : a.blockNumber < b.blockNumber ? -1 : 1;
}
