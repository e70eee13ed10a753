/** @module Anomalies as they are answered: what did not add up on the chain. */
import { z } from "@hono/zod-openapi";
import { isoTime } from "../../config/format/time.ts";
import { logIndexOf, partOf } from "../../src/fold/event-id.ts";
import type { AnomalyRow } from "../../src/fold/state.ts";
import { ANOMALY_KINDS, type AnomalyKind, EVENT_KINDS } from "../../src/fold/vocabulary.ts";
import { address, id, listOf, oneOf, refnum, text } from "../market/fields.ts";
import { pageSchema, positionFields } from "./schema.ts";

/** Sources of an anomaly; a token transfer is not an event of the ledger. */
const SOURCES = [...EVENT_KINDS, "transfer"] as const;

const differenceSchema = z
  .object({
    field: text("Which figure.", "totalRaised"),
    expected: text("What it should have been.", "100"),
    found: text("The value on the chain, or the stored one.", "130"),
  })
  .openapi("Difference", { description: "One figure that did not add up. Decimal strings or text." });

const anomalySchema = z
  .object({
    kind: oneOf(ANOMALY_KINDS, "What was wrong.", "total_mismatch"),
    eventKind: oneOf(
      SOURCES,
      "The event behind it; a `transfer` belongs to a token and is not in the ledger.",
      "subscribed",
    ),
    publicId: text("Public id of the listing; null when it is not visible.", "lst_bakery").nullable(),
    refnum: refnum("Its reference number; null when it is not visible").nullable(),
    escrowAddress: address("The escrow of the listing"),
    onchainId: id("Id of the listing within the escrow"),
    ...positionFields,
    differences: listOf(differenceSchema, "The figures; empty where the event itself is what is wrong."),
  })
  .openapi("Anomaly", { description: "An event of the chain that did not add up." });

export const anomaliesSchema = z
  .object({
    byKind: z
      .partialRecord(z.enum(ANOMALY_KINDS), z.int().min(1))
      .openapi({ description: "Totals by kind; only kinds that occurred.", example: {} }),
    anomalies: listOf(anomalySchema, "Newest first."),
    page: pageSchema,
  })
  .openapi("Anomalies", { description: "A page of anomalies." });

export type Anomaly = z.infer<typeof anomalySchema>;
export type AnomalyCounts = Readonly<Partial<Record<AnomalyKind, number>>>;

type AnomalyContext = {
  /** the visible listing that the anomaly belongs to; null when there is none */
  listing: { publicId: string; refnum: string } | null;
  finality: Anomaly["finality"];
};

export function toAnomaly(row: AnomalyRow, { listing, finality }: AnomalyContext): Anomaly {
  const part = partOf(row.eventId);
  return {
    kind: row.kind,
    eventKind: row.eventKind,
    publicId: listing?.publicId ?? null,
    refnum: listing?.refnum ?? null,
    escrowAddress: row.escrowAddress,
    onchainId: row.onchainId.toString(),
    blockNumber: row.blockNumber.toString(),
    blockTime: isoTime(row.blockTime),
    logIndex: logIndexOf(row.eventId),
    ...(part === 0 ? {} : { part }),
    txHash: row.txHash,
    finality,
    differences: row.differences,
  };
}
