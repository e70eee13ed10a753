/**
 * Reads the tables behind the market; never writes.
 * @module
 */
import { asc, count, type ReadonlyDrizzle } from "ponder";
import type * as schema from "../../ponder.schema.ts";
import type { AnomalyKind, TableFamily } from "../../src/fold/vocabulary.ts";
import { type Checkpoint, type Database, ONE_SNAPSHOT, readCheckpoint } from "../database/checkpoint.ts";
import type { ChainRows } from "../market/project.ts";

/** The rows at one block, read in one transaction. */
export type TableSnapshot = Checkpoint & {
  /** changes with every change to a family's rows, including reverts and replaced events */
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
 * The rows at the last indexed block; null before Ponder's first checkpoint. Table families that have not changed since
 * `previous` are reused.
 */
export async function readTables(
  db: Database,
  tables: Tables,
  previous: TableSnapshot | null,
): Promise<TableSnapshot | null> {
  return db.transaction(async (tx) => {
    const checkpoint = await readCheckpoint(tx);
    if (checkpoint === null) return null;
    const revisions = await readRevisions(tx, tables);
    const unchanged = (family: TableFamily) =>
      previous !== null && previous.revisions[family] === revisions[family] ? previous : null;
    const desk = unchanged("desk")?.rows;
    return {
      ...checkpoint,
      revisions,
      rows: {
        listings: unchanged("listings")?.rows.listings ?? (await tx.select().from(tables.listing)),
        repayments:
          unchanged("repayments")?.rows.repayments ??
          (await tx.select().from(tables.repayment).orderBy(asc(tables.repayment.eventId))),
        offers: desk?.offers ?? (await tx.select().from(tables.offer)),
        trades: desk?.trades ?? (await tx.select().from(tables.trade).orderBy(asc(tables.trade.eventId))),
        holders: unchanged("holders")?.rows.holders ?? (await readHolders(tx, tables)),
      },
      anomalies: unchanged("anomalies")?.anomalies ?? (await countAnomalies(tx, tables)),
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
