/** @module Cursors of pages of events and anomalies: the position at which a page ended, as opaque text. */
import {
  EVENT_ID_PATTERN,
  type EventPosition,
  PLACE_PATTERN,
  placeInBlock,
  toPosition,
} from "../../src/fold/event-id.ts";
import { ANOMALY_KINDS } from "../../src/fold/vocabulary.ts";
import type { AnomalyPosition } from "./read-anomalies.ts";

const EVENT_POSITION = new RegExp(`^(0|[1-9]\\d{0,19})\\.${PLACE_PATTERN}$`);
const ANOMALY_POSITION = new RegExp(`^(${EVENT_ID_PATTERN})\\.([a-z_]{1,40})$`);

/** The cursor after an event of the ledger: its place in the chain as opaque base64url text. `decodeEventCursor` reads it. */
export function encodeEventCursor(position: EventPosition): string {
  return encode(`${position.blockNumber}.${placeInBlock(position)}`);
}

/** Null when the text is not a cursor of the ledger. */
export function decodeEventCursor(cursor: string): EventPosition | null {
  const [, blockNumber, logIndex, part] = EVENT_POSITION.exec(decode(cursor)) ?? [];
  if (blockNumber === undefined || logIndex === undefined) return null;
  return toPosition(blockNumber, logIndex, part);
}

export function encodeAnomalyCursor({ eventId, kind }: AnomalyPosition): string {
  return encode(`${eventId}.${kind}`);
}

/** Null when the text is not a cursor of the anomalies. */
export function decodeAnomalyCursor(cursor: string): AnomalyPosition | null {
  const [, eventId, name] = ANOMALY_POSITION.exec(decode(cursor)) ?? [];
  const kind = ANOMALY_KINDS.find((known) => known === name);
  return eventId === undefined || kind === undefined ? null : { eventId, kind };
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64url");
}

/** Empty for text that `encode` never returns: Buffer ignores characters outside base64url. */
function decode(cursor: string): string {
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  return encode(text) === cursor ? text : "";
}
