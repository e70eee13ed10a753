/**
 * Pages of events without a filter, the usual request: one prepared statement each, which also returns the checkpoint.
 * @module
 */
import type { SQL } from "drizzle-orm";
import { sql } from "ponder";
import type * as schema from "../../ponder.schema.ts";
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
import {
  FEW_LISTINGS,
  LEDGER_COLUMNS,
  type LedgerQuery,
  type LedgerRows,
  type ListingSet,
  newestOfEach,
  positionOf,
  toPage,
} from "./read-events.ts";

type Page = LedgerRows & { progress: Checkpoint };

/**
 * A page of the events of these listings, read among all events, or listing by listing when other listings fill the newest page.
 * Null when that is not enough, with a filter, and until the index exists.
 */
export async function readPlainPage(
  database: Database,
  ledger: typeof schema.ledger,
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
  const page = (rows: readonly LedgerRow[], progress: Checkpoint) => ({
    progress,
    ...toPage(rows, limit, positionOf),
  });
  const read = await readRows(
    database,
    name,
    sql`SELECT ${LEDGER_COLUMNS} FROM ledger WHERE position.backfilled ${below}
      ORDER BY ledger.block_number DESC, ledger.log_index DESC LIMIT ${limit + 1}::integer`,
  );
  if (read === null || !read.progress.backfilled) return null;
  const rows = read.rows.filter((row) => listings.has(row));
  const isEnough = rows.length > limit || read.rows.length <= limit;
  if (isEnough) return page(rows, read.progress);
  if (before !== null || listings.size > FEW_LISTINGS) return null;
  const ofEach = newestOfEach(ledger, listings, query, limit + 1);
  const each = await readRows(database, "raisebook_newest_of_each", ofEach);
  return each?.progress.backfilled ? page(each.rows, each.progress) : null;
}

/** The newest events of one listing; null for any other page. */
export async function readNewestOfListing(
  database: Database,
  { escrowAddress, onchainId }: Pair,
  query: LedgerQuery,
): Promise<Page | null> {
  const { limit, before } = query;
  if (hasFilter(query) || before !== null) return null;
  const read = await readRows(
    database,
    "raisebook_newest_of_listing",
    sql`SELECT ${LEDGER_COLUMNS} FROM ledger
      WHERE escrow_address = ${escrowAddress} AND onchain_id = ${`${onchainId}`}::numeric
      ORDER BY ledger.event_id DESC LIMIT ${limit + 1}::integer`,
  );
  return read === null ? null : { progress: read.progress, ...toPage(read.rows, limit, positionOf) };
}

function hasFilter({ kinds, since, until }: LedgerQuery): boolean {
  return kinds !== null || since !== null || until !== null;
}

/** Without a ledger row, the position with nulls. */
type PageRow = CheckpointRow & (LedgerColumns | { escrow_address: null });

/** The rows that a query selects, with their position; null before the first checkpoint. */
async function readRows(
  database: Database,
  name: string,
  page: SQL,
): Promise<{ progress: Checkpoint; rows: LedgerRow[] } | null> {
  const found = await database.statement<PageRow>(
    name,
    sql`SELECT position.*, page.* FROM (${CHECKPOINT}) AS position LEFT JOIN LATERAL (${page}) AS page ON true`,
  );
  const progress = toCheckpoint(found[0]);
  if (progress === null) return null;
  const rows = found.flatMap((row) => (row.escrow_address === null ? [] : [toLedgerRow(row)]));
  return { progress, rows };
}
