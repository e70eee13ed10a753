/**
 * Cursors of the ledger's pages and of the anomalies': the place that a page ended at, as text that means nothing to
 * a reader. A text that we never gave out is no cursor.
 * @module
 */
import { EVENT_ID_PATTERN } from "../../src/fold/event-id.ts";
import { ANOMALY_KINDS } from "../../src/fold/vocabulary.ts";
import type { Place } from "./conditions.ts";
import type { AnomalyPlace } from "./read.ts";

const PLACE = /^(0|[1-9]\d{0,19})\.(0|[1-9]\d{0,8})$/;
const ANOMALY_PLACE = new RegExp(`^(${EVENT_ID_PATTERN})\\.([a-z_]{1,40})$`);

export function encodePlace({ blockNumber, logIndex }: Place): string {
  return encode(`${blockNumber}.${logIndex}`);
}

/** Null when the text is no cursor of the ledger. */
export function decodePlace(cursor: string): Place | null {
  const [, blockNumber, logIndex] = PLACE.exec(decode(cursor)) ?? [];
  if (blockNumber === undefined || logIndex === undefined) return null;
  return { blockNumber: BigInt(blockNumber), logIndex: Number(logIndex) };
}

export function encodeAnomalyPlace({ eventId, kind }: AnomalyPlace): string {
  return encode(`${eventId}.${kind}`);
}

/** Null when the text is no cursor of the anomalies. */
export function decodeAnomalyPlace(cursor: string): AnomalyPlace | null {
  const [, eventId, name] = ANOMALY_PLACE.exec(decode(cursor)) ?? [];
  const kind = ANOMALY_KINDS.find((known) => known === name);
  return eventId === undefined || kind === undefined ? null : { eventId, kind };
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64url");
}

/** Empty for what `encode` never gives: Buffer reads over characters that are no base64url. */
function decode(cursor: string): string {
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  return encode(text) === cursor ? text : "";
}
