/**
 * The layout of an event id, which is Ponder's checkpoint of the event: the decimal digits of the block's time (10, unix
 * seconds), chain id (16), block number (16), transaction index (16), event type (1) and log index (16). Ids sort like
 * the chain.
 * @module
 */
import type { Block } from "./events.ts";

const LENGTH = 75;
const TIME = [0, 10] as const;
const BLOCK_NUMBER = [26, 42] as const;
const LOG_INDEX = [59, 75] as const;

export const EVENT_ID_PATTERN = `\\d{${LENGTH}}`;

/** A text above every event id. */
export const AFTER_ALL_EVENTS = "9".repeat(LENGTH + 1);

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

export function logIndexOf(eventId: string): number {
  return Number(eventId.slice(...LOG_INDEX));
}

/** The numbers of an event id, as text: if the id was tampered with, they need not be numbers. */
export function partsOf(eventId: string): { blockTime: string; blockNumber: string; logIndex: string } {
  const part = (digits: readonly [number, number]) => eventId.slice(...digits).replace(/^0+(?=.)/, "");
  return { blockTime: part(TIME), blockNumber: part(BLOCK_NUMBER), logIndex: part(LOG_INDEX) };
}
