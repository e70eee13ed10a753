/**
 * Pages of events as they are mostly asked for, without a filter: one prepared statement each, which has the checkpoint too.
 * @module
 */
import type { SQL } from "drizzle-orm";
import { sql } from "ponder";
import { type LedgerColumns, toLedgerRow } from "../../src/fold/ledger.ts";
import type { LedgerRow } from "../../src/fold/state.ts";
import {
  CHECKPOINT,
  type Checkpoint,
  type CheckpointRow,
  type Database,
  toCheckpoint,
} from "../database/checkpoint.ts";
import type { Pair } from "./event-filter.ts";
import { type LedgerQuery, type LedgerRows, type ListingSet, positionOf, toPage } from "./read-events.ts";

type Page = LedgerRows & { progress: Checkpoint };

/**
 * A page of the events of these listings, read among those of all. Null where that is not enough: for a filter, for a page
 * that others' events fill, and until the index is there.
 */
export async function readPlainPage(
  database: Database,
  listings: ListingSet,
  query: LedgerQuery,
): Promise<Page | null> {
  const { limit, before } = query;
  if (hasFilter(query)) return null;
  const below =
    before === null
      ? sql``
      : sql`AND (block_number, log_index) < (${`${before.blockNumber}`}::numeric, ${before.logIndex}::integer)`;
  const name = before === null ? "raisebook_newest_events" : "raisebook_older_events";
  const order = sql`ledger.block_number DESC, ledger.log_index DESC`;
  const read = await readRows(database, name, { condition: sql`position.backfilled ${below}`, order, limit });
  if (read === null || !read.progress.backfilled) return null;
  const rows = read.rows.filter((row) => listings.has(row));
  const isEnough = rows.length > limit || read.rows.length <= limit;
  return isEnough ? { progress: read.progress, ...toPage(rows, limit, positionOf) } : null;
}

/** The newest events of one listing; null for any other page. */
export async function readNewestOfListing(
  database: Database,
  { escrowAddress, onchainId }: Pair,
  query: LedgerQuery,
): Promise<Page | null> {
  const { limit, before } = query;
  if (hasFilter(query) || before !== null) return null;
  const condition = sql`escrow_address = ${escrowAddress} AND onchain_id = ${`${onchainId}`}::numeric`;
  const order = sql`ledger.event_id DESC`;
  const read = await readRows(database, "raisebook_newest_of_listing", { condition, order, limit });
  return read === null ? null : { progress: read.progress, ...toPage(read.rows, limit, positionOf) };
}

function hasFilter({ kinds, since, until }: LedgerQuery): boolean {
  return kinds !== null || since !== null || until !== null;
}

/** Without a row of the ledger the position stands alone, beside nulls. */
type PageRow = CheckpointRow & (LedgerColumns | { escrow_address: null });

/** One row more than `limit`, which says whether there are more; null before the first checkpoint. */
async function readRows(
  database: Database,
  name: string,
  { condition, order, limit }: { condition: SQL; order: SQL; limit: number },
): Promise<{ progress: Checkpoint; rows: LedgerRow[] } | null> {
  const found = await database.statement<PageRow>(
    name,
    sql`SELECT position.*, page.* FROM (${CHECKPOINT}) AS position LEFT JOIN LATERAL (
      SELECT escrow_address, onchain_id::text, event_id, kind, block_number::text, block_time::text, tx_hash, log_index, args
      FROM ledger WHERE ${condition} ORDER BY ${order} LIMIT ${limit + 1}::integer) AS page ON true`,
  );
  const progress = toCheckpoint(found[0]);
  if (progress === null) return null;
  const rows = found.flatMap((row) => (row.escrow_address === null ? [] : [toLedgerRow(row)]));
  return { progress, rows };
}
