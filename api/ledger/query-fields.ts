/** @module The fields of the events query and of the anomalies query of every face, and the bounds of a finality. */
import { BLOCK_OR_TIME_FORM, type BlockOrTime, parseBlockOrTime } from "../../config/format/time.ts";
import type { Block } from "../../src/fold/events.ts";
import { ANOMALY_KINDS, EVENT_KINDS } from "../../src/fold/vocabulary.ts";
import { LISTINGS_FIELDS } from "../market/listings-query.ts";
import { textField, wordField, wordsField } from "../market/query-field.ts";
import { type Finality, finalitySchema } from "../market/schema.ts";
import type { Snapshot } from "../market/snapshot.ts";

const blockOrTime = (description: string) =>
  textField(parseBlockOrTime, BLOCK_OR_TIME_FORM, { description, example: "2026-03-01T12:00:00Z" });

export const EVENTS_FIELDS = {
  kind: wordsField(EVENT_KINDS, {
    description: "Only these kinds of events",
    example: ["subscribed", "refunded"],
  }),
  since: blockOrTime(
    "First block number, or time or date in ISO 8601 (a date is its start in UTC), inclusive",
  ),
  until: blockOrTime(
    "Last block number, or time or date in ISO 8601 (a date is its start in UTC), inclusive",
  ),
  finality: wordField(finalitySchema.options, {
    description: "Only events that are final, or only those that are not yet",
  }),
};

/** Events of many listings can also be those of one business. */
export const MARKET_EVENTS_FIELDS = {
  ...EVENTS_FIELDS,
  originator: { ...LISTINGS_FIELDS.originator, description: "Only events of this originator's listings" },
};

export const ANOMALIES_FIELDS = {
  kind: wordsField(ANOMALY_KINDS, { description: "Only these kinds", example: ["total_mismatch"] }),
};

/** Both inclusive; null for none. */
type Bounds = { since: BlockOrTime | null; until: BlockOrTime | null };

/** The bounds, narrowed to the events of that finality; all events where it is undefined. */
export function withinFinality(
  { since, until }: Bounds,
  finality: Finality | undefined,
  { finalized }: Pick<Snapshot, "finalized">,
): Bounds {
  // Block times never decrease, so one of a block and a time is always the narrower bound.
  const isAfter = (bound: BlockOrTime) =>
    "block" in bound ? bound.block > finalized.number : bound.time > finalized.timestamp;
  return {
    since:
      finality !== "pending" || (since !== null && isAfter(since)) ? since : { block: finalized.number + 1n },
    until: finality === "final" ? upTo(finalized, until) : until,
  };
}

/** The bound, or this block where that is narrower. */
export function upTo({ number, timestamp }: Block, until: BlockOrTime | null): BlockOrTime {
  const isBefore = until !== null && ("block" in until ? until.block < number : until.time < timestamp);
  return isBefore ? until : { block: number };
}
