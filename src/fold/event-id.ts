/**
 * The layout of an event id, which is Ponder's checkpoint of the event: the decimal digits of the block's time (10, unix
 * seconds), chain id (16), block number (16), transaction index (16), event type (1) and log index (16). A contracts module may
 * make several events of one log: the later ones have two more digits, from 01. Ids sort like the chain.
 * @module
 */
import type { Block } from "./events.ts";

const LENGTH = 75;
const TIME = [0, 10] as const;
const BLOCK_NUMBER = [26, 42] as const;
const LOG_INDEX = [59, 75] as const;

const PART_DIGITS = 2;

export const EVENT_ID_PATTERN = `\\d{${LENGTH}}(?:\\d{${PART_DIGITS}})?`;

/** The most events that one log may mean. */
export const MOST_PARTS = 10 ** PART_DIGITS;

/** A text above every event id. */
export const AFTER_ALL_EVENTS = "9".repeat(LENGTH + PART_DIGITS + 1);

/** A text above every event id of the blocks before this time (unix seconds), and at most every later one. */
export function firstEventIdAt(time: bigint): string {
  const [, digits] = TIME;
  if (time < 0n) return "";
  return time < 10n ** BigInt(digits) ? time.toString().padStart(digits, "0") : AFTER_ALL_EVENTS;
}

/** A text above every event id of this event's block, and at most every one of a later block. */
export function firstEventIdAfter(eventId: string): string {
  const [start, end] = BLOCK_NUMBER;
  return (
    eventId.slice(0, start) + (BigInt(eventId.slice(start, end)) + 1n).toString().padStart(end - start, "0")
  );
}

export function blockOf(eventId: string): Block {
  return {
    number: BigInt(eventId.slice(...BLOCK_NUMBER)),
    timestamp: BigInt(eventId.slice(...TIME)),
  };
}

/** The place of an event on the chain. */
export type EventPosition = {
  blockNumber: bigint;
  logIndex: number;
  /** default 0 */
  part?: number | undefined;
};

/** Above every index of a log in its block. */
const AFTER_ALL_LOGS = 2 ** 31 - 1;

/** The place after all events of a block. */
export function endOfBlock(blockNumber: bigint): EventPosition {
  return { blockNumber, logIndex: AFTER_ALL_LOGS };
}

/** The id of an event of this log. @param part its place among them */
export function eventIdOf(logId: string, part: number): string {
  return part === 0 ? logId : `${logId}${part.toString().padStart(PART_DIGITS, "0")}`;
}

export function partOf(eventId: string): number {
  return Number(eventId.slice(LENGTH));
}

export function positionOf(eventId: string): EventPosition {
  return { blockNumber: blockOf(eventId).number, logIndex: logIndexOf(eventId), part: partOf(eventId) };
}

/** Negative, 0 or positive when `a` is before, at or after `b` on the chain. */
export function comparePositions(a: EventPosition, b: EventPosition): number {
  if (a.blockNumber !== b.blockNumber) return a.blockNumber < b.blockNumber ? -1 : 1;
  return a.logIndex - b.logIndex || (a.part ?? 0) - (b.part ?? 0);
}

/** The text of a place within a block: the log's index, and the part of an event that is not its first. */
export function placeInBlock({ logIndex, part = 0 }: Omit<EventPosition, "blockNumber">): string {
  return part === 0 ? `${logIndex}` : `${logIndex}.${part}`;
}

/** What `placeInBlock` returns, in two groups. */
export const PLACE_PATTERN = `(0|[1-9]\\d{0,8})(?:\\.([1-9]\\d{0,${PART_DIGITS - 1}}))?`;

/** The position of which these are the texts. */
export function toPosition(blockNumber: string, logIndex: string, part?: string): EventPosition {
  const place = { blockNumber: BigInt(blockNumber), logIndex: Number(logIndex) };
  return part === undefined ? place : { ...place, part: Number(part) };
}

export function logIndexOf(eventId: string): number {
  return Number(eventId.slice(...LOG_INDEX));
}

/** The numbers of an event id, as text: if the id was tampered with, they need not be numbers. */
export function partsOf(eventId: string): { blockTime: string; blockNumber: string; logIndex: string } {
  const part = (digits: readonly [number, number]) => eventId.slice(...digits).replace(/^0+(?=.)/, "");
  return { blockTime: part(TIME), blockNumber: part(BLOCK_NUMBER), logIndex: part(LOG_INDEX) };
}
