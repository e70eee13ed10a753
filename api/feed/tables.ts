/**
 * Reads the tables that the market is projected from; never writes.
 * @module
 */
import { asc, count, type ReadonlyDrizzle } from "ponder";
import type * as schema from "../../ponder.schema.ts";
import type { AnomalyKind, TableFamily } from "../../src/fold/vocabulary.ts";
import { type Checkpoint, type Database, ONE_SNAPSHOT, readCheckpoint } from "../database/checkpoint.ts";
import type { ChainRows } from "../market/project.ts";

/** The rows at one block, all of one transaction. */
export type TableSnapshot = Checkpoint & {
  /** changes whenever a row of the family does, by a revert or by another event in the same place too */
  revisions: Revisions;
  rows: ChainRows;
  anomalies: Readonly<Partial<Record<AnomalyKind, number>>>;
};

type Revisions = Readonly<Partial<Record<TableFamily, string>>>;

export type Tables = Pick<
  typeof schema,
  "listing" | "repayment" | "offer" | "trade" | "listingToken" | "anomaly" | "tally"
>;

/**
 * The rows at the last indexed block; null before Ponder's first checkpoint. Families of tables that have not
 * changed since `previous` are taken from it.
 */
export async function readTables(
  db: Database,
  tables: Tables,
  previous: TableSnapshot | null,
): Promise<TableSnapshot | null> {
  return db.transaction(async (tx) => {
    const progress = await readCheckpoint(tx);
    if (progress === null) return null;
    const revisions = await readRevisions(tx, tables);
    const known = (family: TableFamily) =>
      previous !== null && previous.revisions[family] === revisions[family] ? previous : null;
    const desk = known("desk")?.rows;
    return {
      ...progress,
      revisions,
      rows: {
        listings: known("listings")?.rows.listings ?? (await tx.select().from(tables.listing)),
        repayments:
          known("repayments")?.rows.repayments ??
          (await tx.select().from(tables.repayment).orderBy(asc(tables.repayment.eventId))),
        offers: desk?.offers ?? (await tx.select().from(tables.offer)),
        trades: desk?.trades ?? (await tx.select().from(tables.trade).orderBy(asc(tables.trade.eventId))),
        holders: known("holders")?.rows.holders ?? (await readHolders(tx, tables)),
      },
      anomalies: known("anomalies")?.anomalies ?? (await countAnomalies(tx, tables)),
    };
  }, ONE_SNAPSHOT);
}

/** Whether the rows of two snapshots are the same. */
export function sameRows(a: TableSnapshot, b: TableSnapshot): boolean {
  const families = new Set([...Object.keys(a.revisions), ...Object.keys(b.revisions)]) as Set<TableFamily>;
  return [...families].every((family) => a.revisions[family] === b.revisions[family]);
}

async function readRevisions(tx: ReadonlyDrizzle, tables: Tables): Promise<Revisions> {
  const rows = await tx.select().from(tables.tally);
  return Object.fromEntries(
    rows.map(({ family, events, lastEventId, lastBlockHash }) => [
      family,
      `${events}/${lastEventId}/${lastBlockHash}`,
    ]),
  );
}

async function readHolders(tx: ReadonlyDrizzle, { listingToken }: Tables): Promise<ChainRows["holders"]> {
  const { token, holderCount } = listingToken;
  const rows = await tx.select({ token, holderCount }).from(listingToken);
  return new Map(rows.map((row) => [row.token, row.holderCount]));
}

async function countAnomalies(tx: ReadonlyDrizzle, { anomaly }: Tables): Promise<TableSnapshot["anomalies"]> {
  const rows = await tx.select({ kind: anomaly.kind, count: count() }).from(anomaly).groupBy(anomaly.kind);
  return Object.fromEntries(rows.map((row) => [row.kind, row.count]));
}
