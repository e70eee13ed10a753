/**
 * Reads events newest first, each query on the index of that order: the events of one listing, of a few, of the market.
 * The visibility of a listing is in no index: it is judged here, over a bounded number of rows.
 * @module
 */
import type { SQL } from "drizzle-orm";
import { desc, type ReadonlyDrizzle, sql, unionAll } from "ponder";
import type * as schema from "../../ponder.schema.ts";
import type { EventPosition } from "../../src/fold/event-id.ts";
import { type LedgerColumns, toLedgerRow } from "../../src/fold/ledger.ts";
import type { LedgerRow } from "../../src/fold/state.ts";
import {
  CHECKPOINT,
  type Checkpoint,
  type CheckpointRow,
  type Database,
  toCheckpoint,
} from "../database/checkpoint.ts";
import { LONGEST_PAGE } from "../market/query-field.ts";
import { type Pair, pairKey } from "../registry/schema.ts";
import {
  eventsOfListing,
  eventsOfMarket,
  type LedgerFilter,
  NEWEST_FIRST,
  placeInSql,
} from "./event-filter.ts";

type Ledger = typeof schema.ledger;

/** At most `limit` rows, newest first. */
export type LedgerQuery = LedgerFilter & { limit: number };
/** Rows of a page; the next page begins below `next`, null after the last. */
export type RowsPage<Row, Position> = { rows: readonly Row[]; next: Position | null };
export type LedgerRows = RowsPage<LedgerRow, EventPosition>;

export type ListingSet = {
  size: number;
  has(pair: Pair): boolean;
  pairs(): readonly Pair[];
};

export function setOf(pairs: readonly Pair[]): ListingSet {
  const keys = new Set(pairs.map(pairKey));
  return { size: keys.size, has: (pair) => keys.has(pairKey(pair)), pairs: () => pairs };
}

/** Most listings to read one by one at once when the newest events mostly belong to others. */
export const FEW_LISTINGS = 50;
/** Rows of all listings to scan at a time when the first read did not fill the page, and in total. */
const SCAN_STEP = 500;
const MOST_SCANNED = 2_000;

/** The primary key has a listing's events in the order of the chain, and is there from the beginning. */
export async function readOfListing(
  tx: ReadonlyDrizzle,
  ledger: Ledger,
  pair: Pair,
  query: LedgerQuery,
  indexed: boolean,
): Promise<LedgerRows> {
  const rows = await tx
    .select()
    .from(ledger)
    .where(eventsOfListing(ledger, pair, query, indexed))
    .orderBy(desc(ledger.eventId))
    .limit(query.limit + 1);
  return toPage(rows, query.limit, positionOf);
}

/**
 * The indexes must exist. A page can be short without being the last when nearly all events belong to other listings, and the listings are
 * more than the rows scanned, or more than a few and only some kinds are wanted.
 */
export async function readOfListings(
  tx: ReadonlyDrizzle,
  ledger: Ledger,
  listings: ListingSet,
  query: LedgerQuery,
): Promise<LedgerRows> {
  const { limit } = query;
  const rows: LedgerRow[] = [];
  let before = query.before;
  let scanned = 0;
  for (let step = limit + 1; ; step = SCAN_STEP) {
    const ofMarket = await readOfMarket(tx, ledger, { ...query, before }, step);
    rows.push(...ofMarket.filter((row) => listings.has(row)));
    scanned += ofMarket.length;
    const last = ofMarket.at(-1);
    if (rows.length > limit) return toPage(rows, limit, positionOf);
    if (last === undefined || ofMarket.length < step) return { rows, next: null };
    if (listings.size <= mostReadEach(query, scanned)) {
      const { rows: each } = await tx.execute<LedgerColumns>(
        newestOfEach(ledger, listings, query, limit + 1),
      );
      return toPage(each.map(toLedgerRow), limit, positionOf);
    }
    before = positionOf(last);
    if (scanned >= MOST_SCANNED) return { rows, next: before };
  }
}

/**
 * Looking up a listing's newest event costs no more than scanning a row, unless it has many of other kinds. Longer pages are for
 * GraphQL's loader alone: of each listing, they could have thousands of rows.
 */
function mostReadEach({ kinds, limit }: LedgerQuery, scanned: number): number {
  return kinds === null && limit <= LONGEST_PAGE ? Math.max(FEW_LISTINGS, scanned) : FEW_LISTINGS;
}

/** The columns that `toLedgerRow` reads. */
const LEDGER_COLUMNS = sql`escrow_address, onchain_id::text, event_id, kind, block_number::text, block_time::text,
  tx_hash, log_index, args`;

/**
 * Selects the newest events of these listings, newest first, in one plan for any number of them. All belong to the `limit` listings
 * changed last, and none is older than the `limit`-th of the newest few of each. Only of few listings are there more rows down to that
 * one, so that at most about `2·limit·√limit` rows are read after the newest of each.
 */
function newestOfEach(
  ledger: Ledger,
  { pairs }: Pick<ListingSet, "pairs">,
  filter: LedgerFilter,
  limit: number,
): SQL {
  const asked = pairs().map(({ escrowAddress, onchainId }) => ({
    address: escrowAddress,
    id: `${onchainId}`,
  }));
  const pair = { escrowAddress: sql`pair.address`, onchainId: sql`pair.id` };
  const events = eventsOfListing(ledger, pair, filter, true);
  const newest = (count: number) =>
    sql`LATERAL (SELECT event_id FROM ${ledger} WHERE ${events} ORDER BY event_id DESC LIMIT ${count}::integer) AS newest`;
  // With fewer of each, more rows could be left below; with more, as many would be read here.
  const some = Math.ceil(Math.sqrt(limit));
  return sql`WITH changed AS MATERIALIZED (
      SELECT pair.* FROM json_to_recordset(${JSON.stringify(asked)}::json) AS pair (address text, id numeric), ${newest(1)}
      ORDER BY newest.event_id DESC LIMIT ${limit}::integer), oldest AS MATERIALIZED (
      SELECT newest.event_id FROM changed AS pair, ${newest(some)}
      ORDER BY newest.event_id DESC LIMIT 1 OFFSET ${limit - 1}::integer)
    SELECT ${LEDGER_COLUMNS}
    FROM changed AS pair, LATERAL (
      SELECT * FROM ${ledger} WHERE ${events} AND event_id >= coalesce((SELECT event_id FROM oldest), '')
      ORDER BY event_id DESC LIMIT ${limit}::integer) AS ledger
    ORDER BY ledger.event_id DESC LIMIT ${limit}::integer`;
}

/** The newest events of all listings, visible or not. Each kind has its own index walk, so that rare kinds are found at once. */
async function readOfMarket(
  tx: ReadonlyDrizzle,
  ledger: Ledger,
  filter: LedgerFilter,
  limit: number,
): Promise<LedgerRow[]> {
  const events = (condition: SQL | undefined) =>
    tx.select().from(ledger).where(condition).orderBy(NEWEST_FIRST).limit(limit);
  if (filter.kinds === null) return events(eventsOfMarket(ledger, filter, null));
  const each = [...filter.kinds].map((kind) => events(eventsOfMarket(ledger, filter, kind)));
  return newestOf(each, NEWEST_FIRST, limit);
}

/** The page of `limit` rows; an extra row shows that it is not the last, and is left out. */
export function toPage<Row, Position>(
  rows: readonly Row[],
  limit: number,
  position: (row: Row) => Position,
): RowsPage<Row, Position> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, next: rows.length > limit && last !== undefined ? position(last) : null };
}

type Query<Row> = PromiseLike<Row[]> & Parameters<typeof unionAll>[0] & Parameters<typeof unionAll>[1];

/** The newest rows of several queries of one table, each of which has them in this order. */
export async function newestOf<Row>(each: readonly Query<Row>[], order: SQL, limit: number): Promise<Row[]> {
  const [first, second, ...rest] = each;
  if (first === undefined || second === undefined) return (await first) ?? [];
  return unionAll(first, second, ...rest)
    .orderBy(order)
    .limit(limit) as unknown as Promise<Row[]>;
}

function positionOf({ blockNumber, logIndex, part }: LedgerRow): EventPosition {
  return { blockNumber, logIndex, part };
}

type Page = LedgerRows & { progress: Checkpoint };

/**
 * A page without a filter, the usual request, by one prepared statement that also returns the checkpoint. Null with a filter, until
 * the index exists, and when most events belong to other listings.
 */
export async function readPlainPage(
  database: Database,
  ledger: typeof schema.ledger,
  listings: ListingSet,
  query: LedgerQuery,
): Promise<Page | null> {
  const { limit, before } = query;
  if (hasFilter(query)) return null;
  const below = before === null ? sql`` : sql`AND (block_number, log_index, part) < ${placeInSql(before)}`;
  const name = before === null ? "raisebook_newest_events" : "raisebook_older_events";
  const page = (rows: readonly LedgerRow[], progress: Checkpoint) => ({
    progress,
    ...toPage(rows, limit, positionOf),
  });
  const read = await readRows(
    database,
    name,
    sql`SELECT ${LEDGER_COLUMNS} FROM ledger WHERE position.backfilled ${below}
      ORDER BY ledger.block_number DESC, ledger.log_index DESC, ledger.part DESC LIMIT ${limit + 1}::integer`,
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
