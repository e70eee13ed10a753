/** @module Reads anomalies newest first, and counts them. A count is cached until an anomaly comes or goes. */
import { and, count, desc, eq, inArray, type ReadonlyDrizzle, sql } from "ponder";
import type * as schema from "../../ponder.schema.ts";
import type { AnomalyRow } from "../../src/fold/state.ts";
import type { AnomalyKind } from "../../src/fold/vocabulary.ts";
import type { Pair } from "../registry/schema.ts";
import type { AnomalyCounts } from "./anomaly.ts";
import { newestOf, type RowsPage, toPage } from "./read-events.ts";

/** The place of an anomaly: an event has at most one of a kind. */
export type AnomalyPosition = { eventId: string; kind: AnomalyKind };
/** At most `limit` anomalies, newest first, of these kinds and listings; null = of all. */
export type AnomalyQuery = {
  kinds: ReadonlySet<AnomalyKind> | null;
  pairs: readonly Pair[] | null;
  before: AnomalyPosition | null;
  limit: number;
};
export type AnomalyRows = RowsPage<AnomalyRow, AnomalyPosition>;

type Tables = Pick<typeof schema, "anomaly" | "tally">;

/** A page of anomalies: each listing's by the primary key, else each kind's by an index. */
export async function readAnomalies(
  tx: ReadonlyDrizzle,
  { anomaly }: Tables,
  { kinds, pairs, before, limit }: AnomalyQuery,
): Promise<AnomalyRows> {
  const ofKinds = kinds === null ? undefined : inArray(anomaly.kind, [...kinds]);
  const ofPair = ({ escrowAddress, onchainId }: Pair) =>
    and(eq(anomaly.escrowAddress, escrowAddress), eq(anomaly.onchainId, onchainId), ofKinds);
  const ofKind = (kind: AnomalyKind) => eq(anomaly.kind, kind);
  const conditions = pairs?.map(ofPair) ?? (kinds === null ? [undefined] : [...kinds].map(ofKind));
  const below =
    before === null
      ? undefined
      : sql`(${anomaly.eventId}, ${anomaly.kind}) < (${before.eventId}, ${before.kind})`;
  const each = conditions.map((condition) =>
    tx
      .select()
      .from(anomaly)
      .where(and(condition, below))
      .orderBy(desc(anomaly.eventId), desc(anomaly.kind))
      .limit(limit + 1),
  );
  const rows = await newestOf(each, sql`event_id DESC, kind DESC`, limit + 1);
  return toPage(rows, limit, ({ eventId, kind }) => ({ eventId, kind }));
}

export function createAnomalyCounter({
  anomaly,
  tally,
}: Tables): (tx: ReadonlyDrizzle) => Promise<AnomalyCounts> {
  let known: { revision: string; counts: AnomalyCounts } | null = null;
  return async (tx) => {
    const revision = JSON.stringify(await tx.select().from(tally).where(eq(tally.family, "anomalies")));
    if (known?.revision === revision) return known.counts;
    const rows = await tx
      .select({ kind: anomaly.kind, count: count() })
      .from(anomaly)
      .groupBy(anomaly.kind)
      .orderBy(anomaly.kind);
    known = { revision, counts: Object.fromEntries(rows.map((row) => [row.kind, row.count])) };
    return known.counts;
  };
}
