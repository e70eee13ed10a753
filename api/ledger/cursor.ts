/** @module Cursors of pages of events and anomalies: the position at which a page ended, as opaque text. */
import { EVENT_ID_PATTERN } from "../../src/fold/event-id.ts";
import { ANOMALY_KINDS } from "../../src/fold/vocabulary.ts";
import type { EventPosition } from "./event-filter.ts";
import type { AnomalyPosition } from "./read-anomalies.ts";

const EVENT_POSITION = /^(0|[1-9]\d{0,19})\.(0|[1-9]\d{0,8})$/;
const ANOMALY_POSITION = new RegExp(`^(${EVENT_ID_PATTERN})\\.([a-z_]{1,40})$`);

export function encodeEventCursor({ blockNumber, logIndex }: EventPosition): string {
  return encode(`${blockNumber}.${logIndex}`);
}

/** Null when the text is not a cursor of the ledger. */
export function decodeEventCursor(cursor: string): EventPosition | null {
  const [, blockNumber, logIndex] = EVENT_POSITION.exec(decode(cursor)) ?? [];
  if (blockNumber === undefined || logIndex === undefined) return null;
  return { blockNumber: BigInt(blockNumber), logIndex: Number(logIndex) };
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
