/**
 * The fields of the events query and of the anomalies query of every face.
 * @module
 */

import { BLOCK_OR_TIME_FORM, parseBlockOrTime } from "../../config/format/time.ts";
import { ANOMALY_KINDS, EVENT_KINDS } from "../../src/fold/vocabulary.ts";
import { LISTINGS_FIELDS } from "../market/listings-query.ts";
import { textField, wordField, wordsField } from "../market/query-field.ts";
import { finalitySchema } from "../market/schema.ts";

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
